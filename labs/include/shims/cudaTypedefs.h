// The driver API's function types. Host code here has the runtime's calls only; a type that a program names is told as unknown.
#pragma once
