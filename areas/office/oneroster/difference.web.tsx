import { Checkbox, NumberInput, Table } from '@mantine/core'
import { Bdi, Code } from '#kit/web/feedback/index.ts'
import { formatNumber, problemText, useT } from '#kit/web/i18n/index.ts'
import type { Checked } from './findings.web.tsx'
import css from './import.module.css'

export type ShownDifference = NonNullable<Checked['difference']>
type Change = ShownDifference['changes'][number]

const KINDS = [
  'faculty',
  'department',
  'year',
  'term',
  'course',
  'offering',
  'user',
  'student',
  'instructor',
  'registration',
  'teaching',
] as const
const FIELDS = [
  'code',
  'name',
  'name_local',
  'email',
  'type',
  'faculty_id',
  'department_id',
  'year_id',
  'term_id',
  'course_id',
  'start_date',
  'end_date',
  'term_type',
  'enabledUser',
  'class',
  'status',
  'role',
  'team',
  'removed_at',
] as const
const COLUMNS = ['created', 'changed', 'same', 'gone', 'left'] as const

/** How many records of each kind are new, changed, the same, no longer there, and left as they stand. */
function Counts({ counts }: { counts: ShownDifference['counts'] }) {
  const t = useT('oneroster')
  return (
    <div className={css.scroll}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('kind')}</Table.Th>
            {COLUMNS.map((column) => (
              <Table.Th key={column}>{t(column)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {KINDS.map((kind) => {
            const count = counts[kind]
            return count && COLUMNS.some((column) => count[column] > 0) ? (
              <Table.Tr key={kind}>
                <Table.Th scope="row">{t(`kind_${kind}`)}</Table.Th>
                {COLUMNS.map((column) => (
                  <Table.Td key={column} className={count[column] ? undefined : css.none}>
                    {formatNumber(count[column])}
                  </Table.Td>
                ))}
              </Table.Tr>
            ) : null
          })}
        </Table.Tbody>
      </Table>
    </div>
  )
}

/** Examples of one kind of change: which record, which field, before and after. */
function Changes({ title, changes, open }: { title: string; changes: readonly Change[]; open?: boolean }) {
  const t = useT('oneroster')
  if (!changes.length) return null
  const kind = (name: string) => KINDS.find((one) => one === name)
  const field = (name: string | null) => FIELDS.find((one) => one === name)
  const values = changes.some((c) => c.old !== null || c.new !== null)
  const reasons = changes.some((c) => c.reason)
  return (
    <details className={css.more} open={open}>
      <summary>{title}</summary>
      <div className={css.scroll}>
        <Table stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('kind')}</Table.Th>
              <Table.Th>{t('record')}</Table.Th>
              <Table.Th>{t('line')}</Table.Th>
              {values && <Table.Th>{t('field')}</Table.Th>}
              {values && <Table.Th>{t('before')}</Table.Th>}
              {values && <Table.Th>{t('after')}</Table.Th>}
              {reasons && <Table.Th>{t('reason')}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changes.map((change, i) => {
              const [what, which] = [kind(change.kind), field(change.field)]
              return (
                <Table.Tr key={i}>
                  <Table.Td>{what && t(`kind_${what}`)}</Table.Td>
                  <Table.Td>
                    <Code>{change.label}</Code>
                  </Table.Td>
                  <Table.Td>{change.line === null ? '' : formatNumber(change.line)}</Table.Td>
                  {values && <Table.Td>{which && t(`field_${which}`)}</Table.Td>}
                  {values && (
                    <Table.Td>
                      <Bdi>{change.old}</Bdi>
                    </Table.Td>
                  )}
                  {values && (
                    <Table.Td>
                      <Bdi>{change.new}</Bdi>
                    </Table.Td>
                  )}
                  {reasons && <Table.Td>{change.reason && problemText(change.reason)}</Table.Td>}
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </div>
    </details>
  )
}

/** What an import would change, or has changed: figures, and examples of each kind. */
export function DifferenceView({ difference: { counts, changes, other_sources } }: { difference: ShownDifference }) {
  const t = useT('oneroster')
  const of = (action: Change['action']) => changes.filter((change) => change.action === action)
  return (
    <>
      <Counts counts={counts} />
      {other_sources.length > 0 && (
        <p>
          {t('other_sources')} <Code>{other_sources.join(', ')}</Code>
        </p>
      )}
      <Changes title={t('changed_examples')} changes={of('changed')} open />
      <Changes title={t('left_examples')} changes={of('left')} open />
      <Changes title={t('gone_examples')} changes={of('gone')} />
    </>
  )
}

/** Asks whether what is gone is removed: by a tick, and for much of the university by typing how much it is. */
export function Removals({
  removals,
  value,
  onChange,
}: {
  removals: ShownDifference['removals']
  value: number | null
  onChange: (removals: number | null) => void
}) {
  const t = useT('oneroster')
  if (!removals.count) return null
  const kind = KINDS.find((one) => one === removals.kind)
  return (
    <div className={css.removals}>
      <p>
        {t('removals_text', { count: removals.count })}{' '}
        {removals.asks &&
          kind &&
          t('removals_much', { percent: formatNumber(removals.percent), kind: t(`kind_${kind}`) })}
      </p>
      {removals.asks ? (
        <NumberInput
          label={t('removals_type', { number: formatNumber(removals.count) })}
          value={value ?? ''}
          min={0}
          hideControls
          allowDecimal={false}
          onChange={(typed) => onChange(typeof typed === 'number' ? typed : null)}
        />
      ) : (
        <Checkbox
          label={t('removals_do')}
          checked={value !== null}
          onChange={(event) => onChange(event.currentTarget.checked ? removals.count : null)}
        />
      )}
    </div>
  )
}
