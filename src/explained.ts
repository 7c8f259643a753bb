/** An error that a person at the terminal can act on: its message says what is wrong and what to do, so no stack. */
export class Explained extends Error {}
