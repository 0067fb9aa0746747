import { Button, Select, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Problems, act } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import { formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { applicantImportCalls as calls, type ShownImport } from '../import.contract.ts'
import { MOST_WISHES, SHEET_ENCODINGS, SHEET_FIELD_NAMES, MINISTRY_FIELDS, type SheetEncoding } from '../sheet.rules.ts'
import css from './import.module.css'

/** What each column may be: fields, wishes, and marks in subjects. */
export function useFieldNames(of: Pick<ShownImport, 'subjects'>): readonly { value: string; label: string }[] {
  const t = useT('applicant-imports')
  const say = useLabel()
  const lang = useLanguage()
  return [
    ...SHEET_FIELD_NAMES.map((field) => ({ value: field, label: say(MINISTRY_FIELDS[field].label) })),
    ...Array.from({ length: MOST_WISHES }, (_, i) => ({
      value: `wish_${i + 1}`,
      label: t('wish', { n: formatNumber(i + 1) }),
    })),
    ...of.subjects.map((one) => ({ value: `subject_${one.id}`, label: t('mark_in', { subject: nameOf(one, lang) }) })),
  ]
}

/** Says what the columns of a file are: proposed by their headings, or as they were kept. */
export function NameColumns({
  of,
  onStarted,
  onCancel,
}: {
  readonly of: ShownImport
  readonly onStarted: () => void
  readonly onCancel: (() => void) | undefined
}) {
  const t = useT('applicant-imports')
  const names = useFieldNames(of)
  const [columns, setColumns] = useState<Readonly<Record<string, number>>>(of.columns)
  const [mapping, setMapping] = useState<number | null>(null)
  const [keep, setKeep] = useState('')
  const { busy, problem, go, send } = useChange('/applicants/import')
  const fieldAt = (at: number) => Object.keys(columns).find((field) => columns[field] === at) ?? null
  const choose = (at: number, field: string | null) => {
    setMapping(null)
    setColumns((before) => {
      const rest = Object.entries(before).filter(([name, place]) => place !== at && name !== field)
      return Object.fromEntries(field === null ? rest : [...rest, [field, at]])
    })
  }
  const start = () =>
    go(async () => {
      await send(calls.check, {
        params: { id: of.id },
        body: { columns, mapping_id: mapping, keep_as: keep.trim() === '' ? null : keep.trim() },
      })
      onStarted()
    })
  return (
    <Card title={t('columns')} text={t('columns_text')}>
      <Ways
        of={of}
        mapping={mapping}
        onMapping={(id, chosen) => {
          setMapping(id)
          setColumns(chosen)
        }}
      />
      <Table<number>
        label={t('columns')}
        rows={of.headings.map((_, at) => at)}
        rowKey={(at) => at}
        columns={[
          {
            key: 'heading',
            label: t('heading'),
            head: true,
            cell: (at) => <bdi>{of.headings[at] || `#${at + 1}`}</bdi>,
          },
          {
            key: 'field',
            label: t('is'),
            cell: (at) => (
              <Select
                className={css.field}
                aria-label={t('is_of', { heading: of.headings[at] || `#${at + 1}` })}
                data={[...names]}
                value={fieldAt(at)}
                onChange={(field) => choose(at, field)}
                placeholder={t('not_read')}
                searchable
                clearable
              />
            ),
          },
          {
            key: 'sample',
            label: t('sample'),
            cell: (at) => (
              <small className={css.sample}>
                <bdi>
                  {of.first
                    .flatMap((row) => row[at] || [])
                    .slice(0, 2)
                    .join(' · ') || '–'}
                </bdi>
              </small>
            ),
          },
        ]}
      />
      <div className={css.form}>
        <TextInput
          label={<Optional label={t('keep_as')} />}
          description={t('keep_as_text')}
          value={keep}
          maxLength={100}
          onChange={(event) => setKeep(event.currentTarget.value)}
        />
      </div>
      {problem !== null && <Problems error={problem} />}
      <div className={css.buttons}>
        <Submit
          loading={busy}
          missing={[Object.keys(columns).length === 0 && t('nothing_named')]}
          onClick={() => void start()}
        >
          {t('check')}
        </Submit>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {t('back')}
          </Button>
        )}
      </div>
    </Card>
  )
}

/** Columns as they were kept under a name, and the encoding of a text. */
function Ways({
  of,
  mapping,
  onMapping,
}: {
  readonly of: ShownImport
  readonly mapping: number | null
  readonly onMapping: (id: number, columns: Readonly<Record<string, number>>) => void
}) {
  const t = useT('applicant-imports')
  const { problem, go, send } = useChange('/applicants/import')
  const chosen = of.mappings.find((one) => one.id === mapping)
  const forget = () =>
    chosen &&
    void act({
      ask: { title: t('forget_title', { name: chosen.name }), consequence: t('forget_text'), action: t('forget') },
      go: () => send(calls.forget, { params: { id: chosen.id } }),
      done: () => t('forgotten', { name: chosen.name }),
    })
  return (
    <>
      <div className={css.line}>
        {of.mappings.length > 0 && (
          <Select
            label={<Optional label={t('kept')} />}
            placeholder={t('kept_none')}
            data={of.mappings.map((one) => ({
              value: String(one.id),
              label: one.columns ? one.name : t('kept_unfit', { name: one.name }),
              disabled: one.columns === null,
            }))}
            value={mapping === null ? null : String(mapping)}
            onChange={(value) => {
              const one = of.mappings.find((each) => String(each.id) === value)
              if (one?.columns) onMapping(one.id, one.columns)
            }}
          />
        )}
        {of.format === 'csv' && (
          <Select
            label={t('encoding')}
            allowDeselect={false}
            data={SHEET_ENCODINGS.map((value) => ({ value, label: value === 'utf-8' ? 'UTF-8' : 'Windows-1256' }))}
            value={of.encoding}
            onChange={(value) =>
              void go(() => send(calls.encoding, { params: { id: of.id }, body: { encoding: value as SheetEncoding } }))
            }
          />
        )}
        {chosen && (
          <Button variant="subtle" color="gray" leftSection={<IconTrash size={15} aria-hidden />} onClick={forget}>
            {t('forget')}
          </Button>
        )}
      </div>
      {problem !== null && <Problems error={problem} />}
    </>
  )
}
