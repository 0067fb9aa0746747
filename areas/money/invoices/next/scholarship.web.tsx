import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { formatMoney, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import type { InvoiceDetail } from '../invoices/invoice.contract.ts'
import { scholarshipCalls, type ScholarshipApplied } from './scholarship.contract.ts'
import css from '../invoices.module.css'

/** Applies a scholarship to an invoice: what it would take off is shown as soon as one is chosen. */
export default function ScholarshipDialog({ invoice, onClose }: { invoice: InvoiceDetail; onClose: () => void }) {
  const t = useT('invoices')
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
        <p className={css.text}>{t('apply_scholarship_text')}</p>
        <LookupInput
          resource="scholarship"
          filters={{ basis: ['manual'], is_active: true }}
          label={say(['Scholarship', 'المنحة'])}
          defaultValue={null}
          onChange={(id) => void choose(id)}
        />
        {seen &&
          (seen.reasons.length > 0 ? (
            <>
              <p className={css.text}>{t('not_applied')}</p>
              <ul className={css.reasons} role="alert">
                {seen.reasons.map((one) => (
                  <li key={one.code}>{problemText(one)}</li>
                ))}
              </ul>
            </>
          ) : (
            <table className={css.table} aria-live="polite">
              <tbody>
                <tr>
                  <td>{t('charged_now')}</td>
                  <td className={css.figure}>{money(seen.before)}</td>
                </tr>
                {seen.lines.map((line, i) => (
                  // oxlint-disable-next-line react/no-array-index-key -- a list that never changes
                  <tr key={i}>
                    <td>
                      <bdi>{nameOf(seen.scholarship, lang)}</bdi>
                      <span className={css.words}>
                        <bdi>{nameOf(line, lang)}</bdi>
                      </span>
                    </td>
                    <td className={css.figure}>{money(line.amount)}</td>
                  </tr>
                ))}
              </tbody>
              <tfoot>
                <tr>
                  <td>{t('charged_then')}</td>
                  <td className={css.figure}>{money(seen.after)}</td>
                </tr>
                {seen.released > 0 && (
                  <tr>
                    <td>{t('to_wallet')}</td>
                    <td className={css.figure}>{money(seen.released)}</td>
                  </tr>
                )}
              </tfoot>
            </table>
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
        <div className={css.buttons}>
          <Button
            loading={busy}
            disabled={!seen || seen.reasons.length > 0 || !reason.trim()}
            onClick={() => void grant()}
          >
            {t('apply')}
          </Button>
        </div>
      </Stack>
    </Dialog>
  )
}
