// Facts without figures and names: only the meaning tells whether a passage supports the claim. `opposite` speaks of the same
// and says the contrary.

import type { Fact } from './facts.ts'

export interface Statement extends Fact {
  opposite: string
}

const working: Statement[] = [
  {
    passage: 'Staff may work from home on any day of the week, provided that their manager agrees in advance.',
    claim: 'Employees can do their job remotely if their superior approves beforehand.',
    opposite: 'Staff have to be in the office on every day of the week; managers cannot agree to anything else.',
  },
  {
    passage: 'Travel expenses are refunded only where the original receipts are handed in together with the form.',
    claim: 'Without original receipts there is no reimbursement of travel costs.',
    opposite: 'Travel expenses are refunded on the form alone; receipts need not be handed in.',
  },
  {
    passage:
      'New employees are given a laptop and a phone on their first day. Both remain the property of the company.',
    claim: 'The equipment handed to newcomers still belongs to the firm.',
    opposite: 'New employees are given a laptop and a phone on their first day. Both become their own property.',
  },
  {
    passage: 'Overtime is compensated by time off. It is paid out only when somebody leaves the company.',
    claim: 'Extra hours are normally made up for with free time rather than money.',
    opposite: 'Overtime is always paid out with the salary of the next month; time off is not granted for it.',
  },
  {
    passage: 'Dogs are welcome in the building as long as nobody in the same room objects.',
    claim: 'You may bring your dog to work unless a colleague sharing the room is against it.',
    opposite: 'Animals of any kind are not allowed in the building, whether or not somebody objects.',
  },
  {
    passage:
      'Passwords must be changed at once when there is any sign that somebody else knows them, and may not be written down.',
    claim: 'It is forbidden to keep a password on paper.',
    opposite: 'Passwords may be written down if the paper is kept in a locked drawer.',
  },
  {
    passage: 'The canteen offers at least one vegetarian dish a day, and the menu is published every Monday.',
    claim: 'There is always something without meat to eat at lunch.',
    opposite: 'The canteen offers meat and fish; vegetarian dishes have to be brought from home.',
  },
  {
    passage: 'Holiday that has not been taken by the end of the year lapses, except where illness was the reason.',
    claim: 'Unused leave is lost unless the employee was ill.',
    opposite: 'Holiday that has not been taken by the end of the year is carried over in full and does not lapse.',
  },
]

const warranty: Statement[] = [
  {
    passage: 'The warranty does not extend to batteries, bulbs and other parts that wear out in normal use.',
    claim: 'Consumable parts such as batteries are excluded from the guarantee.',
    opposite:
      'The warranty extends to every part of the device, including batteries, bulbs and other parts that wear out.',
  },
  {
    passage: 'Repairs carried out by anyone other than an authorised workshop make the warranty void.',
    claim: 'You lose your guarantee if an unapproved shop fixes the device.',
    opposite: 'The warranty stays valid whoever carries out the repairs.',
  },
  {
    passage: 'The manufacturer decides whether a faulty device is repaired or exchanged for a new one.',
    claim: 'The choice between repair and replacement lies with the maker.',
    opposite: 'The buyer decides whether a faulty device is repaired or exchanged for a new one.',
  },
  {
    passage: 'The costs of sending the device in are borne by the customer; its return is free of charge.',
    claim: 'Customers have to pay the postage when they ship the product for repair.',
    opposite: 'The manufacturer bears the costs of sending the device in as well as those of its return.',
  },
  {
    passage: 'The device is waterproof and may be cleaned under running water. Do not use solvents.',
    claim: 'It can safely be rinsed under the tap.',
    opposite: 'The device is not waterproof and must never be cleaned under running water.',
  },
  {
    passage: 'Registration of the device is voluntary and has no influence on the rights that the warranty gives.',
    claim: 'You need not register the product to be covered.',
    opposite: 'The warranty is valid only if the device has been registered.',
  },
  {
    passage: 'The warranty passes to the next owner when the device is sold, as long as the receipt is handed over.',
    claim: 'A second-hand buyer who gets the receipt is covered too.',
    opposite: 'The warranty ends when the device is sold, also where the receipt is handed over.',
  },
  {
    passage:
      'Data that was stored on the device may be lost during repair. We advise that a copy be made before sending it in.',
    claim: 'Owners should back up their files before a repair.',
    opposite:
      'Data that was stored on the device is always kept during repair. Making a copy before sending it in is not necessary.',
  },
]

const river: Statement[] = [
  {
    passage: 'Since the weir was removed, salmon have returned to the upper reaches of the river to spawn.',
    claim: 'Taking down the dam allowed salmon to breed upstream again.',
    opposite: 'Although the weir was removed, salmon have not returned to the upper reaches of the river.',
  },
  {
    passage: 'The reed beds along the western bank filter much of the nitrate that is washed off the fields.',
    claim: 'Vegetation on the west side cleans agricultural runoff.',
    opposite: 'The reed beds along the western bank have no effect on the nitrate that is washed off the fields.',
  },
  {
    passage: 'Boats with combustion engines have been banned on the lake in order to protect nesting birds.',
    claim: 'Motorboats are prohibited there for the sake of breeding birds.',
    opposite: 'Boats with combustion engines are still permitted on the lake, although birds nest there.',
  },
  {
    passage: 'The samples taken downstream of the factory showed no trace of heavy metals.',
    claim: 'Water below the plant was free of heavy metals.',
    opposite: 'The samples taken downstream of the factory showed high levels of heavy metals.',
  },
  {
    passage:
      'Beavers were seen again for the first time in living memory; their dams slow the water and raise the ground water.',
    claim: 'Beaver dams have led to a higher water table.',
    opposite: 'Beavers were seen again for the first time in living memory; their dams have lowered the ground water.',
  },
  {
    passage: 'The flood gates are operated by volunteers from the village, who are trained every spring.',
    claim: 'Local people without pay work the flood gates.',
    opposite: 'The flood gates are operated by paid engineers of the water board; the village takes no part in it.',
  },
  {
    passage: 'Summer temperatures of the water have risen steadily, which puts trout under stress.',
    claim: 'Warmer water is harming the trout.',
    opposite: 'Summer temperatures of the water have fallen steadily, which does trout good.',
  },
  {
    passage: 'The study recommends that the meadows be mown only once a year and not before the end of July.',
    claim: 'According to the report, cutting the grass should wait until late summer.',
    opposite: 'The study recommends that the meadows be mown as early in the year as possible, and several times.',
  },
]

export const tuning_statements: readonly (readonly Statement[])[] = [working, warranty, river]
