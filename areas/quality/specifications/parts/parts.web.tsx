import { OUTCOME_DOMAINS } from '#areas/quality/questionnaires/types/form.contract.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconGripVertical, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, act, notify } from '#kit/web/feedback/index.ts'
import { useReorder } from '#kit/web/fields/reorder.ts'
import { formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Table, type TableColumn } from '#kit/web/table/table.tsx'
import { Gaps } from '../matrix/gaps.web.tsx'
import { matrixCalls, type SpecificationSheet } from '../matrix/matrix.contract.ts'
import { OUTCOME_LEVELS, REFERENCE_KINDS } from '../spec/words.contract.ts'
import css from '../specifications.module.css'
import { PART_KINDS, partCalls, type PartKind } from './parts.contract.ts'

const PartDialog = partDialog(async () => (await import('./part-dialog.web.tsx')).PartDialog)

/** A part of any kind, as far as the lists look at it. */
export type AnyPart = Readonly<{ id: number; version: number; text: string; text_local?: string }> &
  Readonly<Record<string, unknown>>

/** Text of a part in the reader's language, the other beneath. */
function Text({ part }: { readonly part: { readonly text: string; readonly text_local?: string | undefined } }) {
  const ar = useLanguage() === 'ar'
  const [first, second] = ar ? [part.text_local ?? part.text, part.text] : [part.text, part.text_local]
  return (
    <>
      <bdi>{first}</bdi>
      {second !== undefined && second !== first && (
        <span className={css.second}>
          <bdi>{second}</bdi>
        </span>
      )}
    </>
  )
}

/** Columns of each kind, in the words of the screen. */
function useColumns(): Readonly<Record<PartKind, readonly TableColumn<AnyPart>[]>> {
  const t = useT('specifications')
  const say = useLabel()
  const word = (list: readonly { value: unknown; label: readonly [string, string] }[], value: unknown) => {
    const found = list.find((one) => one.value === value)
    return found ? say(found.label) : '–'
  }
  const text: TableColumn<AnyPart> = {
    key: 'text',
    label: t('text'),
    head: true,
    style: { minInlineSize: 180 },
    cell: (row) => <Text part={row} />,
  }
  const figure = (key: string): TableColumn<AnyPart> => ({
    key,
    label: t(key as 'weeks'),
    figure: true,
    cell: (row) => (row[key] == null ? '–' : formatNumber(Number(row[key]))),
  })
  return {
    outcomes: [
      { key: 'code', label: t('code'), cell: (row) => <Code>{String(row.code)}</Code> },
      text,
      {
        key: 'domain',
        label: t('domain'),
        style: { minInlineSize: 110 },
        cell: (row) => word(OUTCOME_DOMAINS, row.domain),
      },
      { key: 'level', label: t('level'), style: { minInlineSize: 90 }, cell: (row) => word(OUTCOME_LEVELS, row.level) },
    ],
    topics: [text, figure('weeks'), figure('hours')],
    methods: [text],
    assessments: [
      text,
      {
        key: 'mark_category',
        label: t('mark_category'),
        style: { minInlineSize: 110 },
        cell: (row) => (row.mark_category ? nameOf(row.mark_category) : '–'),
      },
      figure('week'),
      figure('weight'),
    ],
    references: [
      text,
      { key: 'kind', label: t('kind'), style: { minInlineSize: 90 }, cell: (row) => word(REFERENCE_KINDS, row.kind) },
    ],
  }
}

/** Everything that a specification says, and what it lacks. */
export function SpecificationParts({
  row,
}: {
  readonly row: { readonly id: number; readonly aims?: string | null; readonly aims_local?: string | null }
}) {
  const t = useT('specifications')
  const ar = useLanguage() === 'ar'
  const { data, error, refetch } = useCall(matrixCalls.sheet, { params: { id: row.id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={420} />
  const sheet = data.data
  const aims = ar ? (row.aims_local ?? row.aims) : (row.aims ?? row.aims_local)
  // A program has no weeks, no marks and no books of its own.
  const kinds = PART_KINDS.filter(
    (kind) => sheet.of === 'course' || kind === 'outcomes' || kind === 'methods' || sheet[kind].length > 0,
  )
  return (
    <Stack>
      {sheet.gaps.length > 0 && (
        <Card title={t('gaps')} text={t('gaps_text')}>
          <Gaps gaps={sheet.gaps} />
        </Card>
      )}
      {aims && (
        <Card title={t('aims')}>
          <p className={css.aims} dir="auto">
            {aims}
          </p>
        </Card>
      )}
      {kinds.map((kind) => (
        <PartsCard key={kind} kind={kind} sheet={sheet} />
      ))}
    </Stack>
  )
}

function PartsCard({ kind, sheet }: { readonly kind: PartKind; readonly sheet: SpecificationSheet }) {
  const t = useT('specifications')
  const ar = useLanguage() === 'ar'
  const columns = useColumns()[kind]
  const { send } = useChange('/specifications')
  const [open, setOpen] = useState<AnyPart | 'new' | null>(null)
  const type = sheet.of === 'course' ? ('courses-specs' as const) : ('programs-specs' as const)
  const rows = sheet[kind] as readonly AnyPart[]
  const sum = rows.reduce((all, one) => all + Math.round(Number(one.weight ?? 0) * 100), 0) / 100
  const called = (part: AnyPart) => String(part.code ?? (ar ? (part.text_local ?? part.text) : part.text))
  const remove = (part: AnyPart) =>
    act({
      ask: {
        title: t('remove_question', { name: called(part) }),
        consequence: t('remove_text'),
        action: t('remove'),
        danger: true,
      },
      go: () => send(partCalls.remove, { params: { type, kind, id: part.id } }),
      done: () => t('removed', { name: called(part) }),
    })
  const reorder = useReorder(
    rows.length,
    (from, to) =>
      void act({
        go: () => send(partCalls.change, { params: { type, kind, id: rows[from]!.id }, body: { position: to + 1 } }),
        done: () => null,
      }),
    (to) => notify.done(t('moved_to', { place: formatNumber(to + 1) })),
  )
  const orders = sheet.changes && rows.length > 1
  const grip: TableColumn<AnyPart> = {
    key: 'grip',
    style: { inlineSize: 44, paddingInlineEnd: 0 },
    label: t('order'),
    unseen: true,
    cell: (part, i) => (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('move_part', { name: called(part), place: formatNumber(i + 1) })}
        {...reorder.handle(i)}
      >
        <IconGripVertical size={16} aria-hidden />
      </ActionIcon>
    ),
  }
  const buttons: TableColumn<AnyPart> = {
    key: 'buttons',
    label: t('actions'),
    unseen: true,
    end: true,
    cell: (part) => (
      <span className={css.rowButtons}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('edit_part', { name: called(part) })}
          onClick={() => setOpen(part)}
        >
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('remove_part', { name: called(part) })}
          onClick={() => void remove(part)}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </span>
    ),
  }
  return (
    <Card
      title={t(kind)}
      aside={
        sheet.changes && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            aria-label={`${t('add')}: ${t(kind)}`}
            onClick={() => setOpen('new')}
          >
            {t('add')}
          </Button>
        )
      }
    >
      {rows.length ? (
        <Table
          label={t(kind)}
          rows={rows}
          rowKey={(part) => part.id}
          columns={[orders && grip, ...columns, sheet.changes && buttons]}
          rowGiven={(_part, i) => (orders ? reorder.place(i) : {})}
          className={css.ordered}
          foot={
            kind === 'assessments'
              ? [[...(orders ? [''] : []), t('total'), '', '', formatNumber(sum), ...(sheet.changes ? [''] : [])]]
              : undefined
          }
        />
      ) : (
        <Empty title={t('none_yet')} />
      )}
      {open && (
        <PartDialog kind={kind} sheet={sheet} part={open === 'new' ? null : open} onClose={() => setOpen(null)} />
      )}
    </Card>
  )
}
