"""Why a pipeline is better: its components switched on and off."""
