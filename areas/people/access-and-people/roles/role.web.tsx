import { Input } from '@mantine/core'
import { useState } from 'react'
import { PERMISSION_KEYS } from '#access/permissions.contract.ts'
import type { Reach } from '#access/seeded.contract.ts'
import { may } from '#kit/web/auth/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import type { FieldInputProps } from '#kit/web/fields/inputs.tsx'
import { Status } from '#kit/web/feedback/index.ts'
import { label, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { grantDifferenceOf, rightsOfRole } from '../rights/grants.rules.ts'
import css from '../rights/rights.module.css'
import { DifferenceOf } from '../rights/words.web.tsx'
import { RoleMatrix } from './matrix.web.tsx'
import { role } from './role.contract.ts'

interface Line {
  readonly id?: number
  readonly permission: string
  readonly reach: Reach
}
const KNOWN: ReadonlySet<string> = new Set(PERMISSION_KEYS)

const heldOf = (lines: readonly Line[]) => new Map(lines.map(({ permission, reach }) => [permission, reach]))

/** The matrix to edit. What the change gives and takes stands below. */
function Matrix({ label: title, description, error, defaultValue, onChange, disabled, row }: FieldInputProps) {
  const before = (defaultValue ?? []) as readonly Line[]
  const [lines, setLines] = useState(before)
  const set = (permission: string, reach: Reach | undefined) => {
    const rest = lines.filter((line) => line.permission !== permission)
    const stored = before.find((one) => one.permission === permission)
    const next = reach ? [...rest, { ...(stored?.id && { id: stored.id }), permission, reach }] : rest
    setLines(next)
    onChange(next)
  }
  const difference = grantDifferenceOf(rightsOfRole(before), rightsOfRole(lines), (place) => [place])
  return (
    <Input.Wrapper label={title} description={description} error={error} labelElement="div">
      <Holders row={row} />
      <RoleMatrix roleKey={row?.key} held={heldOf(lines)} onSet={set} disabled={disabled} />
      {(difference.gained.length > 0 || difference.lost.length > 0) && (
        <DifferenceOf difference={difference} units={[]} />
      )}
    </Input.Wrapper>
  )
}

/** How many people a change of the role concerns, and the way to who they are. */
function Holders({ row }: { row: Readonly<Record<string, unknown>> | undefined }) {
  const t = useT('access-and-people')
  const count = Number(row?.holders ?? 0)
  if (!count) return null
  const text = t('role_held', { count })
  const filters = JSON.stringify({ role_id: [row!.id] })
  return (
    <p className={css.dim}>{may('access_users') ? <Link to={to('/users', {}, { filters })}>{text}</Link> : text}</p>
  )
}

/** The same, to read. */
function Given({ lines, row }: { lines: readonly Line[]; row: Readonly<Record<string, unknown>> }) {
  const strange = lines.filter((line) => !KNOWN.has(line.permission))
  return (
    <div className={css.matrix}>
      <Holders row={row} />
      <RoleMatrix roleKey={row.key} held={heldOf(lines)} />
      {strange.length > 0 && <p className={css.dim}>{strange.map((one) => one.permission).join(', ')}</p>}
    </div>
  )
}

export default resourceWeb(role, {
  inputs: { rights: Matrix },
  form: { wide: true },
  cells: { rights: ({ value, row }) => <Given lines={(value ?? []) as readonly Line[]} row={row} /> },
  detail: {
    status: (row) =>
      row.removed ? (
        <Status is="removed" label={label(['Removed', 'محذوف'])} />
      ) : row.system ? (
        <Status is="official" label={label(['Comes with the program', 'من أدوار النظام'])} />
      ) : null,
    panels: [
      {
        key: 'replace',
        title: ['Remove and replace', 'حذف الدور واستبداله'],
        permission: 'remove_role',
        when: (row) => !row.removed,
        Content: part(async () => (await import('./replace.web.tsx')).Replace),
      },
    ],
  },
})
