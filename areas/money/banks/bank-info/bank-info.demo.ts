import { insertNew, demoPart } from '#demo/part.ts'

/** What payers are told: with every bank, and with that for US dollars. */
export default demoPart(['bank_info_notes'], ['banks'], async (tx) => {
  await insertNew(tx, 'bank_info_notes', [
    {
      bank_id: null,
      name: 'Say who you are',
      name_local: 'اذكر بياناتك',
      notes:
        'Write your student code and the number of the invoice as the reference of the transfer. What comes without them is matched by hand, which takes longer.',
      notes_local: 'اكتب كودك الطلابي ورقم الفاتورة في خانة بيان التحويل. ما يصل بدونهما يُطابق يدويًا ويستغرق وقتًا أطول.',
      is_active: true,
    },
    {
      bank_id: 2,
      name: 'Fees of the transfer',
      name_local: 'رسوم التحويل',
      notes: 'Choose that you bear the fees of all banks (OUR): the amount that arrives is what counts.',
      notes_local: 'اختر تحمّل رسوم كل البنوك (OUR)، فالمبلغ الذي يصل هو الذي يُحتسب.',
      is_active: true,
    },
  ])
})
