"""The application of the example."""


def answer(question):
    """Returns the answer and what it was found in."""
    if "JSON" in question:
        return '{"floor": 3, "rooms": ["A", "B"]}', ["The office has two rooms on the third floor."]
    if "leave" in question:
        return "  You have 24 days of leave.\n", ["Leave is 24 days."]
    if "code" in question:
        return "AB-1234", ["Codes have two letters and four digits."]
    return "I do not know.", []
