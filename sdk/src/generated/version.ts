// Written by `npm run openapi` from the contract. Changes made here are lost.

/** The version of this client. It knows all fields of a server of the same version. */
export const VERSION = '0.1.0'
