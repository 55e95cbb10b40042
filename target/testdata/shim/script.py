import sys
print("usage: script FILE")
sys.exit(2)
