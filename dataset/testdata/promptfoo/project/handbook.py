"""What the helpdesk of the example answers."""


def answer(prompt):
    if "as JSON" in prompt:
        return '{"floor": 3, "rooms": ["A", "B"]}'
    if "office" in prompt:
        return 'The office is here: {"floor": 3, "note": "use {the} lift"} as you see.'
    if "leave" in prompt:
        return "You have 24 days of leave."
    if "laptop" in prompt:
        return "The service desk replaces it."
    return "I do not know."
