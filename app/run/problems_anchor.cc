// Keeps the library non-empty in a checkout without labs.
