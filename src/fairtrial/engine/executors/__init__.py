"""Where trials are performed: in this process, in child processes, or on a Dask cluster."""
