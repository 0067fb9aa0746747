import { sql } from 'kysely'
import { minorDigits } from '#kit/contract/money.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { handle } from '#kit/server/base/context.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { serveResource } from '#kit/server/resource/resource.ts'
import { addAccount } from '#areas/money/ledger/post.server.ts'
import { bankInfo, bankInfoCalls } from './bank-info/bank-info.contract.ts'
import type { PayableBank } from './bank-info/bank-info.contract.ts'
import { batches, batchHandlers, readJob } from './batches/batch.server.ts'
import { reconciliationHandlers } from './batches/reconciliation.server.ts'
import { banksArea } from './banks.contract.ts'
import { bank } from './banks/bank.contract.ts'
import { accountProblems, writtenIban } from './banks/bank.rules.ts'
import { currency } from './currencies/currency.contract.ts'
import { currencyProblem } from './currencies/currency.rules.ts'
import { banksTold } from './banks.told.contract.ts'

export const banksServer = defineAreaServer({
  area: banksArea,
  told: banksTold,
  handlers: [
    serveResource(bank, {
      lookups: ['currency_id'],
      beforeWrite: async (_ctx, tx, merged, current) => {
        merged.iban = writtenIban(merged.iban as string | null)
        merged.swift = writtenIban(merged.swift as string | null)
        const problems = accountProblems({
          account_number: (merged.account_number ?? null) as string | null,
          iban: merged.iban as string | null,
          swift: merged.swift as string | null,
        })
        if (problems.length) throw new Refusal(422, problems)
        if (current) return {}
        const [name, name_local] = [merged.name, merged.name_local].map(
          (text) => `${String(text)} (${String(merged.code)})`,
        )
        return { ledger_account_id: await addAccount(tx, { kind: 'asset', name: name!, name_local: name_local! }) }
      },
    }),
    serveResource(currency, {
      beforeWrite: (_ctx, _tx, merged, current) => {
        const problem = current ? null : currencyProblem(String(merged.code ?? ''))
        if (problem) throw new Refusal(422, [problem])
        return current ? {} : { minor_digits: minorDigits(String(merged.code)) }
      },
    }),
    serveResource(bankInfo, { lookups: ['bank_id'] }),
    handle(bankInfoCalls.notes, async (ctx) => {
      const { rows } = await sql<PayableBank>`
        select b.id, b.name, b.name_local, b.branch, b.account_number, b.iban, b.swift, c.code as currency,
          (select coalesce(json_agg(json_build_object('id', n.id, 'name', n.name, 'name_local', n.name_local, 'notes', n.notes,
              'notes_local', n.notes_local) order by n.bank_id is null, n.id), '[]')
            from bank_info_notes n where n.is_active and n.removed_at is null and coalesce(n.bank_id, b.id) = b.id) as notes
        from banks b join currencies c on c.id = b.currency_id
        where b.is_active and b.removed_at is null order by b.code`.execute(ctx.db)
      return { data: rows }
    }),
    batchHandlers,
    reconciliationHandlers,
  ],
  jobs: [batches.job, readJob],
})
