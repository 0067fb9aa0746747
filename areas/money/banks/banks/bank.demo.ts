import { sql } from 'kysely'
import { followIds, insertRows } from '#db/bulk.ts'
import { addAccount } from '#areas/money/ledger/post.server.ts'
import { demoPart } from '#demo/part.ts'

/** Two accounts: one for Egyptian pounds, one for US dollars. */
export default demoPart(['banks'], [], async (tx) => {
  const { rows } = await sql<{ id: number; code: string }>`select id, code from currencies`.execute(tx)
  const currency = (code: string) => rows.find((row) => row.code === code)!.id
  const account = (name: string, name_local: string) => addAccount(tx, { kind: 'asset', name, name_local })
  await insertRows(tx, 'banks', [
    {
      id: 1,
      code: 'NBE',
      name: 'National Bank of Egypt',
      name_local: 'البنك الأهلي المصري',
      branch: 'University branch, Cairo',
      account_number: '000526318000211',
      iban: 'EG640003015300000052631800021',
      swift: 'NBEGEGCX',
      currency_id: currency('EGP'),
      ledger_account_id: await account('National Bank of Egypt (NBE)', 'البنك الأهلي المصري (NBE)'),
      is_active: true,
    },
    {
      id: 2,
      code: 'CIB-USD',
      name: 'Commercial International Bank',
      name_local: 'البنك التجاري الدولي',
      branch: 'Nasr City',
      account_number: '100034567890',
      iban: 'EG820010001000000010003456789',
      swift: 'CIBEEGCX',
      currency_id: currency('USD'),
      ledger_account_id: await account('Commercial International Bank (CIB-USD)', 'البنك التجاري الدولي (CIB-USD)'),
      is_active: true,
    },
  ])
  await followIds(tx, 'banks')
})
