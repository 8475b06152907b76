/** This machine has no processor time for the work now. The work itself is fine, so it is repeated later. */
export class Busy extends Error {}
