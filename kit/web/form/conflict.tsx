import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { Field, Fields } from '#kit/contract/field.ts'
import type { Problem } from '#kit/contract/schema.ts'
import { NONE, fieldValue } from '../fields/cells.tsx'
import { FILTER_WORDS } from '../fields/filter-words.tsx'
import { formatInstant, nameOf, problemText, useLabel, useT } from '../i18n/index.ts'
import type { Named } from '../i18n/index.ts'
import { useShow } from '../list/cell.tsx'
import type { Values } from './changes.ts'
import css from './form.module.css'

/** What somebody else changed since the row was loaded, as the server says it. */
export interface Conflict {
  readonly changed: readonly { readonly field: string; readonly yours: unknown; readonly theirs: unknown }[]
  readonly version: number
  readonly by: Named | null
  readonly at: string | null
  readonly problem: Problem
}

/** A stored or typed value without its row: references are ids. */
export function ValueText({ field, name, value }: { field: Field; name: string; value: unknown }) {
  const show = useShow()
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && !value.length)) return NONE
  if (field.kind === 'lookup' || (field.kind === 'lookups' && typeof (value as unknown[])[0] === 'number')) {
    const Words = FILTER_WORDS[field.kind]!
    return <Words field={field} value={value} />
  }
  if (field.kind === 'file' && typeof value === 'number') return <bdi>{show.t('file_number', { id: value })}</bdi>
  return fieldValue(field, name, { [name]: value }, show)
}

/** Yours and theirs, field by field; what is chosen is saved. */
export function ConflictDialog({
  conflict,
  fields,
  busy,
  onChoose,
  onClose,
}: {
  conflict: Conflict
  fields: Fields
  busy: boolean
  onChoose: (values: Values) => void
  onClose: () => void
}) {
  const t = useT('kit-screens')
  const say = useLabel()
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set())
  const choose = (name: string, side: 'yours' | 'theirs') => {
    const next = new Set(theirs)
    if (side === 'theirs') next.add(name)
    else next.delete(name)
    setTheirs(next)
  }
  return (
    <Modal
      opened
      closeButtonProps={{ 'aria-label': t('close') }}
      onClose={onClose}
      title={t('conflict_title')}
      size="lg"
      closeOnClickOutside={false}
    >
      <p style={{ marginBlockStart: 0 }}>
        {problemText(conflict.problem)}{' '}
        {conflict.by && conflict.at && t('conflict_by', { name: nameOf(conflict.by), at: formatInstant(conflict.at) })}
      </p>
      <table className={css.conflict}>
        <thead>
          <tr>
            <th scope="col">{t('field')}</th>
            <th scope="col">{t('yours')}</th>
            <th scope="col">{t('theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {conflict.changed.map(({ field: name, ...sides }) => {
            const field = fields[name]
            if (!field) return null
            return (
              <tr key={name}>
                <th scope="row">{say(field.label)}</th>
                {(['yours', 'theirs'] as const).map((side) => (
                  <td key={side}>
                    <label>
                      <input
                        type="radio"
                        aria-label={`${say(field.label)}: ${t(side)}`}
                        name={`conflict-${name}`}
                        checked={theirs.has(name) === (side === 'theirs')}
                        onChange={() => choose(name, side)}
                      />
                      <span>
                        <ValueText field={field} name={name} value={sides[side]} />
                      </span>
                    </label>
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
      <div className={css.buttons} style={{ marginBlockStart: 20 }}>
        <Button variant="default" onClick={onClose}>
          {t('keep_editing')}
        </Button>
        <Button
          data-autofocus
          loading={busy}
          onClick={() =>
            onChoose(
              Object.fromEntries(conflict.changed.map((c) => [c.field, theirs.has(c.field) ? c.theirs : c.yours])),
            )
          }
        >
          {t('conflict_save')}
        </Button>
      </div>
    </Modal>
  )
}
