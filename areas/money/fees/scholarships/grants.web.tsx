import { Select } from '@mantine/core'
import { IconAward, IconBan, IconWand } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Name, Problems, act } from '#kit/web/feedback/index.ts'
import { MOST_OF_PAGE, MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { UndoNotice } from '#kit/web/imports/undo.tsx'
import {
  formatDate,
  formatMoney,
  formatNumber,
  formatPercent,
  nameOf,
  useLabel,
  useLanguage,
  useT,
} from '#kit/web/i18n/index.ts'
import { dayOf } from '#kit/contract/day.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { Stack } from '#kit/web/shell/card.tsx'
import { askReason } from '#kit/web/workflow/index.ts'
import shared from '../../money.module.css'
import css from '../fees.module.css'
import { GrantForm, GrantYears, worth } from './grant-form.web.tsx'
import { grantCalls, grantFields as F, type ApplyPreview, type GrantRow } from './grants.contract.ts'

type Row = GrantRow & AnyRow

/** Scholarships that students have, had and lost. A student sees the own ones. */
export default function Grants() {
  const t = useT('fees')
  const lang = useLanguage()
  const me = useMe()
  const { send } = useChange('/scholarship', '/students')
  const [open, setOpen] = useState<'grant' | 'apply' | null>(null)
  const grants = me.can('grant_scholarship')
  const columns: readonly Column<Row>[] = [
    {
      key: 'student_id',
      label: F.student_id.label,
      sort: true,
      width: 240,
      cell: (row) => (
        <span className={css.two}>
          <Name row={row.student} />
          <small className={shared.dim}>
            <Code>{row.student.code}</Code>
          </small>
        </span>
      ),
    },
    {
      key: 'scholarship_id',
      label: F.scholarship_id.label,
      sort: true,
      width: 240,
      cell: (row) => <Name row={row.scholarship} />,
    },
    { key: 'worth', label: ['Reduction', 'الخصم'], width: 130, align: 'end', cell: (row) => <Code>{worth(row)}</Code> },
    {
      key: 'year_id',
      label: F.year_id.label,
      sort: true,
      width: 140,
      cell: (row) => <GrantYears row={row} />,
    },
    {
      key: 'why',
      label: ['Why', 'السبب'],
      width: 200,
      cell: (row) => (
        <span dir="auto">
          {row.ended_reason ??
            row.reason ??
            (row.value === null ? '–' : t(`value_${row.scholarship.basis as 'gpa'}`, { value: Number(row.value) }))}
        </span>
      ),
    },
    { key: 'status', label: F.status.label, field: F.status, sort: true, width: 120 },
    { key: 'faculty_id', label: F.faculty_id.label, sort: true, width: 180, cell: (row) => <Name row={row.faculty} /> },
    {
      key: 'granted_at',
      label: F.granted_at.label,
      sort: true,
      width: 130,
      cell: (row) => formatDate(dayOf(row.granted_at)),
    },
  ]
  const remove = async (row: Row) => {
    const reason = await askReason({
      title: t('remove_grant'),
      text: `${nameOf(row.student, lang)} · ${nameOf(row.scholarship, lang)}`,
      action: t('remove'),
      danger: true,
    })
    if (reason === null) return
    await act({
      go: () =>
        send(grantCalls.remove, {
          params: { resource: 'students', id: row.student.id, scholarshipId: row.id },
          body: { reason, version: row.version },
        }),
      done: () => t('grant_removed'),
    })
  }
  return (
    <>
      <ListScreen<Row>
        call={grantCalls.list}
        title={
          me.user.type === 3
            ? (['My scholarships', 'منحي'] as const)
            : (['Scholarships of students', 'منح الطلاب'] as const)
        }
        columns={columns}
        filters={
          grants || me.can('access_scholarship')
            ? { scholarship_id: F.scholarship_id, year_id: F.year_id, faculty_id: F.faculty_id, status: F.status }
            : {}
        }
        order={['granted_at', 'desc']}
        rowName={(row) => `${nameOf(row.student, lang)} · ${nameOf(row.scholarship, lang)}`}
        actions={(row) =>
          row.abilities.includes('remove')
            ? [
                {
                  key: 'remove',
                  label: t('remove_grant'),
                  icon: <IconBan size={16} aria-hidden />,
                  tone: 'refused',
                  onSelect: () => void remove(row),
                },
              ]
            : []
        }
        main={
          grants
            ? {
                key: 'grant',
                label: t('grant'),
                icon: <IconAward size={16} aria-hidden />,
                onSelect: () => setOpen('grant'),
              }
            : null
        }
        menu={
          grants
            ? [
                {
                  key: 'apply',
                  label: t('apply_rule'),
                  icon: <IconWand size={16} aria-hidden />,
                  onSelect: () => setOpen('apply'),
                },
              ]
            : []
        }
        {...(me.can('export_scholarship') && { excel: grantCalls.export })}
        empty={{ title: t('no_grants'), text: t(me.user.type === 3 ? 'no_grants_own_text' : 'no_grants_text') }}
      />
      {open === 'grant' && <GrantForm onClose={() => setOpen(null)} />}
      {open === 'apply' && <ApplyRule onClose={() => setOpen(null)} />}
    </>
  )
}

/** An automatic scholarship for a year: first what it would cost, then all at once. */
function ApplyRule({ onClose }: { onClose: () => void }) {
  const t = useT('fees')
  const k = useT('kit-screens')
  const say = useLabel()
  const lang = useLanguage()
  const { busy, problem, go, send } = useChange('/scholarship', '/students')
  const { most, more } = useMost(200, MOST_OF_PAGE)
  const offered = useCall(
    grantCalls.automatic,
    { body: { perPage: most, filters: { is_active: true } } },
    { placeholderData: keepPreviousData },
  ).data
  const rules = offered?.data as readonly { id: number; name: string; name_local: string }[] | undefined
  const [rule, setRule] = useState<string | null>(null)
  const [year, setYear] = useState<number | null>(null)
  const [preview, setPreview] = useState<ApplyPreview | null>(null)
  const [job, setJob] = useState<string | null>(null)
  const [told, setTold] = useState<{ text: string; operation: number | null } | null>(null)
  const look = async () => {
    const done = await go(() => send(grantCalls.preview, { params: { id: Number(rule) }, body: { year_id: year! } }))
    setTold(null)
    setPreview(done?.answer.data ?? null)
  }
  const apply = async () => {
    const done = await go(() => send(grantCalls.apply, { params: { id: Number(rule) }, body: { year_id: year! } }))
    if (done) setJob(done.answer.job_id)
  }
  const figure = (label: string, value: string) => (
    <span>
      {label} <b>{value}</b>
    </span>
  )
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('apply_rule')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        <p className={`${css.text} ${shared.dim}`}>{t('apply_text')}</p>
        <div className={css.pair}>
          <Select
            label={say(F.scholarship_id.label)}
            searchable
            data={(rules ?? []).map((one) => ({ value: String(one.id), label: nameOf(one, lang) }))}
            value={rule}
            onChange={(value) => {
              setRule(value)
              setPreview(null)
            }}
          />
          <LookupInput
            resource="year"
            label={say(F.year_id.label)}
            defaultValue={null}
            onChange={(value) => {
              setYear(value)
              setPreview(null)
            }}
          />
        </div>
        {offered && <MoreRows shown={offered.data.length} total={offered.meta.count} onMore={more} />}
        {problem !== null && <Problems error={problem} />}
        {preview && (
          <>
            <div className={css.figures}>
              {figure(t('would_get'), formatNumber(preview.added))}
              {figure(t('would_keep'), formatNumber(preview.kept))}
              {figure(t('would_lose'), formatNumber(preview.lost))}
              {preview.costs.map((cost) => (
                <span key={cost.currency}>
                  {t('would_cost', { term: preview.term ? nameOf(preview.term, lang) : '–' })}{' '}
                  <b>{formatMoney(cost.amount, cost.currency)}</b>
                </span>
              ))}
              {preview.cap !== null && figure(t('grant_cap'), formatPercent(preview.cap / 10_000))}
              {preview.unknown > 0 && figure(t('cost_unknown'), formatNumber(preview.unknown))}
            </div>
            <ul className={shared.list} style={{ maxBlockSize: 260, overflowY: 'auto' }}>
              {preview.rows.map((one) => (
                <li key={`${one.change} ${one.student.id}`} className={css.line}>
                  <span className={css.of}>
                    <span>
                      <Name row={one.student} />
                    </span>
                    <span>
                      <Code>{one.student.code}</Code>
                    </span>
                    {one.value !== null && (
                      <span>
                        <Code>{one.value}</Code>
                      </span>
                    )}
                  </span>
                  {one.change === 'lost' ? (
                    <span className={shared.dim}>{t('loses')}</span>
                  ) : one.amount !== null && one.currency ? (
                    <Code>{formatMoney(one.amount, one.currency)}</Code>
                  ) : (
                    <span className={shared.dim}>–</span>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
        {job && (
          <ProgressJob
            id={job}
            label={t('apply_rule')}
            onDone={(result) => {
              const { added, lost, operation_id } = result as {
                added: number
                lost: number
                operation_id: number | null
              }
              setTold({ text: t('applied', { added, lost }), operation: operation_id })
              setJob(null)
              setPreview(null)
              void go(async () => null)
            }}
          />
        )}
        {told && <UndoNotice text={told.text} operation={told.operation} onUndone={() => setTold(null)} />}
        <div className={css.buttons}>
          <Submit
            variant="default"
            onCancel={onClose}
            missing={[rule === null && say(F.scholarship_id.label), year === null && say(F.year_id.label)]}
            loading={busy}
            onClick={() => void look()}
          >
            {t('preview')}
          </Submit>
          <Submit
            missing={[
              rule === null && say(F.scholarship_id.label),
              year === null && say(F.year_id.label),
              rule !== null && year !== null && !preview && k('preview_first'),
              preview && preview.added + preview.lost === 0 && k('nothing_to_do'),
              job !== null && k('under_way'),
            ]}
            loading={busy}
            onClick={() => void apply()}
          >
            {t('apply')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}
