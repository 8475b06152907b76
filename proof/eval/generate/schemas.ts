const text = (description: string) => ({ type: ['string', 'null'], description })
const date = (description: string) => ({ type: ['string', 'null'], description: `${description}, as YYYY-MM-DD` })
const number = (description: string) => ({ type: ['number', 'null'], description })

const closed = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

export const invoice_schema = closed({
  vendor: text('The company that sends the invoice'),
  number: text('The number of the invoice'),
  date: date('The day on which it was issued'),
  due_date: date('The last day for paying'),
  currency: text('Three letters, ISO 4217'),
  total: number('The amount to pay, tax included'),
  line_items: {
    type: 'array',
    items: closed({
      description: text('What was sold'),
      quantity: number('How many'),
      unit_price: number('The price of one'),
    }),
  },
})

export const letter_schema = closed({
  sender: text('Who wrote the letter: the person'),
  recipient: text('To whom: the person'),
  date: date('The day on which it was written'),
  subject: text('What it is about, as its subject line says'),
  deadline: date('The day until which the recipient is to answer or act'),
})
