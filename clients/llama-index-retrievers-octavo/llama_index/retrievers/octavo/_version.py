# Written by `npm run openapi` from the contract. Changes made here are lost.

VERSION = "0.1.0"
