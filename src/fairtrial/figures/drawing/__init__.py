"""What all figures are drawn with: style, sizes, labels, checked inputs, curves in boxes, small panels, SVG."""
