import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Name, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import { formatMoney, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import css from '../fees.module.css'
import { grantCalls, grantFields as F, type GrantRow } from './grants.contract.ts'

/** What a grant takes off. */
export const worth = (row: Pick<GrantRow, 'percent' | 'amount' | 'currency'>) =>
  row.percent === null ? formatMoney(row.amount ?? 0, row.currency ?? 'EGP') : `${Number(row.percent)}%`

/** The years for which a grant is. */
export const GrantYears = ({ row }: { row: Pick<GrantRow, 'year' | 'until_year'> }) => (
  <span>
    <Name row={row.year} />
    {row.until_year.id !== row.year.id && (
      <>
        {' – '}
        <Name row={row.until_year} />
      </>
    )}
  </span>
)

/** Grants a scholarship by hand, from one year to another. */
export function GrantForm({
  onClose,
  student: of = null,
}: {
  onClose: () => void
  /** To whom; chosen here unless told. */
  student?: number | null
}) {
  const t = useT('fees')
  const say = useLabel()
  const { busy, problem, go, send } = useChange('/scholarship', '/students')
  const [student, setStudent] = useState<number | null>(of)
  const [scholarship, setScholarship] = useState<number | null>(null)
  const [from, setFrom] = useState<number | null>(null)
  const [until, setUntil] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const save = async () => {
    if (student === null || scholarship === null || from === null) return
    const body = { scholarship_id: scholarship, year_id: from, ...(until !== null && { until_year_id: until }), reason }
    if (!(await go(() => send(grantCalls.grant, { params: { id: student }, body })))) return
    notify.done(t('granted'))
    onClose()
  }
  return (
    <Dialog opened onClose={onClose} title={t('grant')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        {of === null && (
          <LookupInput resource="student" label={say(F.student_id.label)} defaultValue={null} onChange={setStudent} />
        )}
        <LookupInput
          resource="scholarship"
          filters={{ basis: ['manual', 'sibling'] }}
          label={say(F.scholarship_id.label)}
          defaultValue={null}
          onChange={setScholarship}
        />
        <div className={css.pair}>
          <LookupInput resource="year" label={t('from_year')} defaultValue={null} onChange={setFrom} />
          <LookupInput
            resource="year"
            label={<Optional label={t('until_year')} />}
            defaultValue={null}
            onChange={setUntil}
          />
        </div>
        <Textarea
          label={t('reason')}
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {problem !== null && <Problems error={problem} />}
        <div className={css.buttons}>
          <Submit
            onCancel={onClose}
            missing={[
              student === null && say(F.student_id.label),
              scholarship === null && say(F.scholarship_id.label),
              from === null && t('from_year'),
              !reason.trim() && t('reason'),
            ]}
            loading={busy}
            onClick={() => void save()}
          >
            {t('grant')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}
