import type { Statement } from './statements.ts'

const museum: Statement[] = [
  {
    passage: 'Visitors may take photographs in all rooms, but flash and tripods are not permitted.',
    claim: 'Taking pictures is fine as long as no flash is used.',
    opposite: 'Photography of any kind is not permitted in any of the rooms.',
  },
  {
    passage: 'Admission is free for children and for those who accompany a visitor with a disability.',
    claim: 'Companions of disabled guests do not pay an entrance fee.',
    opposite:
      'Everybody pays the full price of admission, children and those who accompany a visitor with a disability included.',
  },
  {
    passage:
      'The painting was long thought to be a copy, until the restorers found the signature of the master under the varnish.',
    claim: 'Restoration revealed that the picture is genuine.',
    opposite:
      'The painting was long thought to be by the master, until the restorers found that the signature was a forgery.',
  },
  {
    passage: 'Large bags have to be left in the cloakroom. The museum accepts no liability for valuables.',
    claim: 'You cannot carry big luggage through the exhibition.',
    opposite: 'Bags of any size may be taken into the exhibition.',
  },
  {
    passage: 'The collection of coins was given to the city by a merchant who had no heirs.',
    claim: 'A childless trader donated the coins.',
    opposite: 'The city bought the collection of coins from the heirs of a merchant.',
  },
  {
    passage: 'Guided tours are held in several languages. Groups are asked to book ahead.',
    claim: 'Parties should make a reservation for a tour.',
    opposite: 'Guided tours cannot be booked; groups simply come to the entrance.',
  },
  {
    passage: 'The café in the courtyard can be visited without a ticket for the museum.',
    claim: 'No admission ticket is needed to have coffee there.',
    opposite: 'The café in the courtyard is open only to those who hold a ticket for the museum.',
  },
  {
    passage: 'The old roof let in the rain, so the manuscripts were moved to the new wing.',
    claim: 'Because of leaks the handwritten books now stand in another part of the building.',
    opposite: 'The roof of the new wing let in the rain, so the manuscripts stayed where they were.',
  },
]

const software: Statement[] = [
  {
    passage:
      'Backups are encrypted before they leave the customer\u2019s network, and the provider has no copy of the key.',
    claim: 'The provider is unable to read the backups.',
    opposite: 'Backups are sent without encryption, so that the provider can read them.',
  },
  {
    passage: 'Support is available by mail around the clock; the telephone is staffed on working days only.',
    claim: 'At weekends nobody answers calls.',
    opposite: 'Support is available by telephone around the clock, at weekends too.',
  },
  {
    passage: 'Deleting an account removes all of its files at once and cannot be undone.',
    claim: 'A closed account can never be restored.',
    opposite: 'A deleted account with all of its files can be restored at any time.',
  },
  {
    passage: 'The service may be interrupted for maintenance, which is announced a week ahead wherever possible.',
    claim: 'Planned downtime is usually made known in advance.',
    opposite: 'The service may be interrupted for maintenance at any time and without announcement.',
  },
  {
    passage: 'Old versions of a file are kept for as long as the subscription lasts.',
    claim: 'Subscribers can always go back to earlier states of a document.',
    opposite: 'Only the newest version of a file is kept; old ones are thrown away at once.',
  },
  {
    passage: 'Administrators see who opened a file and when, but not what was written in it.',
    claim: 'The content of files is hidden from administrators.',
    opposite: 'Administrators see what was written in a file, but not who opened it.',
  },
  {
    passage: 'The program runs on any current browser. Nothing has to be installed.',
    claim: 'Users need not set up any software on their computer.',
    opposite: 'The program has to be installed on every computer and does not run in a browser.',
  },
  {
    passage: 'Prices may be raised once a year. Customers who do not agree may then leave without notice.',
    claim: 'A price increase gives clients the right to cancel immediately.',
    opposite: 'Prices may be raised once a year. Customers remain bound until the end of their term all the same.',
  },
]

export const held_out_statements: readonly (readonly Statement[])[] = [museum, software]
