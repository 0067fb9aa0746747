import { IconAward, IconBan, IconWand } from '@tabler/icons-react'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Name, act } from '#kit/web/feedback/index.ts'
import { formatDate, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { dayOf } from '#kit/contract/day.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { askReason } from '#kit/web/workflow/index.ts'
import shared from '../../money.module.css'
import css from '../fees.module.css'
import { ApplyRule } from './apply-rule.web.tsx'
import { GrantForm, GrantYears, worth } from './grant-form.web.tsx'
import { grantCalls, grantFields as F, type GrantRow } from './grants.contract.ts'

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
