def answer(question:
