"""PyTorch's softmax, forward and backward, as softmax_widths.cu times ours: 49152 rows of half, one graph over rotated
buffers, medians of 30 replays. Run on a real GPU: python3 softmax_peers.py"""
import torch

ROWS = 49152
print(f"# {torch.cuda.get_device_name(0)}, PyTorch {torch.__version__}: columns, way, median us, quarter, three quarters, GB/s")
for power in range(5, 16):
    cols = 1 << power
    elements = ROWS * cols
    sets = max(2, min(40, (400 << 20) // (elements * 2)))
    x = [torch.rand(ROWS, cols, device="cuda", dtype=torch.half) * 8 - 4 for _ in range(sets)]
    dy = [torch.rand(ROWS, cols, device="cuda", dtype=torch.half) * 2 - 1 for _ in range(sets)]
    y = [torch.softmax(v, 1) for v in x]
    dx = [torch.empty_like(v) for v in x]
    passes = max(sets, 4)

    def forward(i):
        torch.softmax(x[i], 1, out=y[i])

    def backward(i):
        torch._softmax_backward_data(dy[i], y[i], 1, torch.half, grad_input=dx[i])

    for name, way, halves in (("forward, PyTorch", forward, 2), ("backward, PyTorch", backward, 3)):
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            way(0)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for i in range(passes):
                way(i % sets)
        us = []
        for repeat in range(33):
            a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            a.record()
            graph.replay()
            b.record()
            b.synchronize()
            if repeat >= 3:
                us.append(a.elapsed_time(b) * 1e3 / passes)
        us.sort()
        m = us[len(us) // 2]
        print(f"{cols},{name},{m:.2f},{us[len(us) // 4]:.2f},{us[len(us) * 3 // 4]:.2f},{halves * 2 * elements * 1e-3 / m:.0f}", flush=True)
    del x, y, dy, dx, graph
    torch.cuda.empty_cache()
