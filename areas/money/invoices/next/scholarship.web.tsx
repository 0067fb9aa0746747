import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { formatMoney, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import type { InvoiceDetail } from '../invoices/invoice.contract.ts'
import { scholarshipCalls, type ScholarshipApplied } from './scholarship.contract.ts'
import shared from '../../money.module.css'
import css from '../invoices.module.css'

/** Applies a scholarship to an invoice: what it would take off is shown as soon as one is chosen. */
export default function ScholarshipDialog({ invoice, onClose }: { invoice: InvoiceDetail; onClose: () => void }) {
  const t = useT('invoices')
  const k = useT('kit-screens')
  const say = useLabel()
  const lang = useLanguage()
  const { busy, problem, go, send } = useChange('/payments', '/payment/items', '/scholarship', '/students')
  const [scholarship, setScholarship] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const [seen, setSeen] = useState<ScholarshipApplied | null>(null)
  const apply = (preview: boolean, scholarship_id: number) =>
    go(() =>
      send(scholarshipCalls.apply, {
        params: { id: invoice.id },
        body: { scholarship_id, preview, ...(!preview && { reason: reason.trim() }) },
      }),
    )
  const choose = async (id: number | null) => {
    setScholarship(id)
    setSeen(null)
    if (id !== null) setSeen((await apply(true, id))?.answer.data ?? null)
  }
  const grant = async () => {
    const done = await apply(false, scholarship!)
    if (!done) return
    const { note, released, currency } = done.answer.data
    notify.done(
      [
        t('scholarship_applied', { number: note ?? '' }),
        ...(released ? [t('released', { amount: formatMoney(released, currency) })] : []),
      ].join(' '),
    )
    onClose()
  }
  const money = (minor: number) => <bdi>{formatMoney(minor, invoice.currency)}</bdi>
  return (
    <Dialog opened onClose={onClose} title={t('apply_scholarship')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        <p className={shared.text}>{t('apply_scholarship_text')}</p>
        <LookupInput
          resource="scholarship"
          filters={{ basis: ['manual', 'sibling'], is_active: true }}
          label={say(['Scholarship', 'المنحة'])}
          defaultValue={null}
          onChange={(id) => void choose(id)}
        />
        {seen &&
          (seen.reasons.length > 0 ? (
            <>
              <p className={shared.text}>{t('not_applied')}</p>
              <ul className={css.reasons} role="alert">
                {seen.reasons.map((one) => (
                  <li key={one.code}>{problemText(one)}</li>
                ))}
              </ul>
            </>
          ) : (
            <div aria-live="polite">
              <Table
                label={t('apply_scholarship')}
                className={css.table}
                rows={[
                  { name: t('charged_now'), words: null, amount: seen.before },
                  ...seen.lines.map((line) => ({
                    name: <bdi>{nameOf(seen.scholarship, lang)}</bdi>,
                    words: nameOf(line, lang),
                    amount: line.amount,
                  })),
                ]}
                rowKey={(_line, i) => i}
                columns={[
                  {
                    key: 'what',
                    cell: ({ name, words }) => (
                      <>
                        {name}
                        {words !== null && (
                          <span className={css.words}>
                            <bdi>{words}</bdi>
                          </span>
                        )}
                      </>
                    ),
                  },
                  { key: 'amount', figure: true, cell: ({ amount }) => money(amount) },
                ]}
                foot={[
                  [t('charged_then'), money(seen.after)],
                  ...(seen.released > 0 ? [[t('to_wallet'), money(seen.released)]] : []),
                ]}
              />
            </div>
          ))}
        <Textarea
          label={t('reason')}
          required
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {problem !== null && <Problems error={problem} />}
        <div className={shared.buttons}>
          <Submit
            onCancel={onClose}
            loading={busy}
            missing={[
              !seen && say(['Scholarship', 'المنحة']),
              seen && seen.reasons.length > 0 && k('solve_first'),
              !reason.trim() && t('reason'),
            ]}
            onClick={() => void grant()}
          >
            {t('apply')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}
