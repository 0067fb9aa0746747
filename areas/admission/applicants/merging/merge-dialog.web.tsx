import { Button } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Refusals } from '#kit/web/detail/parts.tsx'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Failed, Problems, Status, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import {
  formatDate,
  formatInstant,
  formatNumber,
  nameOf,
  problemText,
  useLabel,
  useLanguage,
  useT,
} from '#kit/web/i18n/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { APPLICANT_STATUSES } from '../words.contract.ts'
import { applicantMergeCalls as calls, type ApplicationSide } from './merge.contract.ts'
import css from '../apply/apply.module.css'

const SHOWN = [
  'number',
  'name',
  'status',
  'email',
  'phone',
  'national_id',
  'passport_number',
  'birth_date',
  'percentage',
  'submitted',
  'wishes',
  'documents',
  'comments',
  'paid',
] as const

/** What of two applications is shown side by side. */
function useRows(): readonly { key: (typeof SHOWN)[number]; of: (side: ApplicationSide) => ReactNode }[] {
  const t = useT('applicants')
  const say = useLabel()
  const lang = useLanguage()
  const text = (key: 'email' | 'phone' | 'national_id' | 'passport_number') => ({
    key,
    of: (side: ApplicationSide) => <bdi>{side[key] ?? '–'}</bdi>,
  })
  return [
    { key: 'number', of: (side) => <bdi>{side.code}</bdi> },
    { key: 'name', of: (side) => <bdi>{nameOf({ name: side.name ?? '–', name_local: side.name_local }, lang)}</bdi> },
    {
      key: 'status',
      of: (side) => {
        const status = APPLICANT_STATUSES.find(({ value }) => value === side.status)
        return status && <Status tone={status.tone} label={say(status.label)} />
      },
    },
    text('email'),
    text('phone'),
    text('national_id'),
    text('passport_number'),
    { key: 'birth_date', of: (side) => (side.birth_date ? formatDate(side.birth_date, 'long', lang) : '–') },
    { key: 'percentage', of: (side) => <bdi>{side.percentage ?? '–'}</bdi> },
    { key: 'submitted', of: (side) => (side.submitted_at ? formatInstant(side.submitted_at) : '–') },
    { key: 'wishes', of: (side) => side.wishes.map((one) => nameOf(one, lang)).join(' · ') || '–' },
    { key: 'documents', of: (side) => formatNumber(side.documents) },
    { key: 'comments', of: (side) => formatNumber(side.comments) },
    { key: 'paid', of: (side) => t(side.paid ? 'yes' : 'no') },
  ]
}

/** Two applications of one person side by side: which stays is chosen, and every reason against it is said. */
export function MergeDialog({
  one,
  other,
  onClose,
}: {
  readonly one: number
  readonly other: number
  readonly onClose: () => void
}) {
  const t = useT('applicants')
  // The older number stays, unless the desk chooses otherwise.
  const [turned, setTurned] = useState(one > other)
  const [keep, merge] = turned ? [other, one] : [one, other]
  const { data, error, refetch } = useCall(calls.compare, { params: { keep, merge } })
  const { busy, problem, go, send } = useChange('/applicants')
  const rows = useRows()
  const found = data?.data
  const submit = async () => {
    if (!found) return
    const done = await go(() =>
      send(calls.merge, {
        body: { keep_id: keep, merge_id: merge, seen: [found.kept.version, found.merged.version] },
      }),
    )
    if (!done) return
    onClose()
    notify.done(t('merged_done', { kept: found.kept.code, merged: found.merged.code }))
  }
  return (
    <Dialog opened onClose={onClose} title={t('merge_title')} size="xl" closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        {error && !found ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !found ? (
          <Bone height={420} />
        ) : (
          <>
            <p className={css.dim}>{t('merge_text', { kept: found.kept.code, merged: found.merged.code })}</p>
            <Table
              label={t('merge_title')}
              rows={rows}
              rowKey={(row) => row.key}
              columns={[
                {
                  key: 'what',
                  label: t('what'),
                  head: true,
                  style: { minInlineSize: 110 },
                  cell: (row) => t(`side_${row.key}`),
                },
                { key: 'kept', label: t('stays'), style: { minInlineSize: 130 }, cell: (row) => row.of(found.kept) },
                { key: 'merged', label: t('goes'), style: { minInlineSize: 130 }, cell: (row) => row.of(found.merged) },
              ]}
            />
            <div>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconArrowsExchange size={14} aria-hidden />}
                onClick={() => setTurned(!turned)}
              >
                {t('keep_second')}
              </Button>
            </div>
            {found.problems.length > 0 && (
              <Refusals
                title={t('merge_refused')}
                reasons={found.problems.map((one_) => ({ code: one_.code, text: problemText(one_) }))}
              />
            )}
            {problem !== null && <Problems error={problem} />}
            <div className={css.steps}>
              <Submit
                onCancel={onClose}
                loading={busy}
                missing={found.problems.map((one_) => problemText(one_))}
                onClick={() => void submit()}
              >
                {t('merge')}
              </Submit>
            </div>
          </>
        )}
      </Stack>
    </Dialog>
  )
}
