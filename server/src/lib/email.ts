/** Two addresses with the same key are the same address: case and Unicode form do not matter. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase()
