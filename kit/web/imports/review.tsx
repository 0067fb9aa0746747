/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- a scrolled part is reached by the keyboard */
import { Button, Pagination } from '@mantine/core'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { ImportLinesQuery, importLine, importMend, importPreview } from '#kit/contract/imports.ts'
import { ApiError } from '../api/index.ts'
import { Problems, Status, confirm } from '../feedback/index.ts'
import { Submit } from '../feedback/submit.tsx'
import type { State } from '../feedback/index.ts'
import { formatAgo, formatList, formatNumber, nameOf, problemText, useLanguage, useT } from '../i18n/index.ts'
import css from './imports.module.css'

export type Preview = z.output<typeof importPreview>
type Line = z.output<typeof importLine>
type Mend = z.input<typeof importMend>
type Show = ImportLinesQuery['state']

const LOOKS = {
  created: 'added',
  changed: 'changed',
  same: 'unchanged',
  wrong: 'wrong',
  out: 'left_out',
} as const satisfies Readonly<Record<Line['state'], State>>
const PER_PAGE = 50
const TOLD = 20

/**
 * A sheet before it is saved: what each row would do beside what is there now, filtered by that. Wrong cells are mended
 * in place, rows are left out, and what somebody changed since the export is kept or taken from the sheet.
 */
export function ImportReview({
  first,
  lines: ask,
  mend,
  save,
  again,
  leave,
}: {
  first: Preview
  lines: (query: { state: Show; page: number; perPage: number }) => Promise<Preview>
  mend: (body: Mend) => Promise<Preview>
  save: (confirmed?: number) => Promise<unknown>
  /** Back to choosing a file. */
  again: () => void
  /** Closes it; nothing of the sheet is stored. */
  leave?: () => void
}) {
  const t = useT('kit-screens')
  const kit = useT('kit')
  const [preview, setPreview] = useState(first)
  const [show, setShow] = useState<Show>('notable')
  const [page, setPage] = useState(1)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  // Corrections go one after the other, so that the last answer is the latest state.
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const attempt = async (work: () => Promise<void>) => {
    setError(null)
    const next = queue.current.then(work)
    queue.current = next.catch(() => undefined)
    await next.catch((problem: unknown) => setError(problem))
  }
  const turn = (state: Show, to: number) =>
    attempt(async () => {
      setPreview(await ask({ state, page: to, perPage: PER_PAGE }))
      setShow(state)
      setPage(to)
    })
  const correct = (body: Mend) =>
    attempt(async () => {
      const fresh = await mend(body)
      const byRow = new Map(fresh.lines.map((line) => [line.row, line]))
      setPreview((shown) => ({
        ...fresh,
        count: shown.count,
        lines: shown.lines.map((line) => byRow.get(line.row) ?? line),
      }))
    })
  const { counts } = preview
  const saved = counts.created + counts.changed
  const store = async () => {
    setError(null)
    const number = preview.confirm
    if (number !== null) {
      await confirm({
        title: t('import_confirm', { count: number }),
        consequence: t('import_confirm_text'),
        action: t('import_save', { count: saved }),
        typeName: String(number),
        go: () => save(number),
      })
      return
    }
    setBusy(true)
    try {
      await save()
    } catch (problem) {
      setError(problem)
    } finally {
      setBusy(false)
    }
  }
  const stale =
    error instanceof ApiError
      ? [...new Set(error.errors.flatMap((one) => /^rows\.(\d+)/.exec(one.field ?? '')?.[1] ?? []))].map(Number)
      : []
  const heads = preview.errors.filter((one) => one.row === 1)
  return (
    <>
      <Shown counts={counts} show={show} onShow={(state) => void turn(state, 1)} />
      {heads.length > 0 && (
        <ul className={css.heads} role="alert">
          {heads.slice(0, TOLD).map((head, i) => (
            <li key={i}>{problemText(head)}</li>
          ))}
          {heads.length > TOLD && <li>{kit('and_more', { count: heads.length - TOLD })}</li>}
        </ul>
      )}
      {preview.ignored.length > 0 && (
        <p className={css.dim}>{t('import_ignored', { columns: formatList(preview.ignored) })}</p>
      )}
      {counts.wrong > 0 && <p className={css.line}>{t('import_nothing_stored')}</p>}
      {counts.meanwhile > 0 && <p className={css.line}>{t('import_meanwhile_text')}</p>}
      {preview.lines.length ? (
        <Lines preview={preview} correct={correct} />
      ) : (
        <p className={css.line}>{saved === 0 && counts.wrong === 0 ? t('import_nothing') : t('import_none_here')}</p>
      )}
      {preview.count > PER_PAGE && (
        <Pagination
          size="sm"
          mt="xs"
          total={Math.ceil(preview.count / PER_PAGE)}
          value={page}
          onChange={(to) => void turn(show, to)}
          getItemProps={(to) => ({ 'aria-label': t('page_number', { page: to }), children: formatNumber(to) })}
          getControlProps={(control) => ({ 'aria-label': t(control === 'next' ? 'next_page' : 'previous_page') })}
        />
      )}
      {error !== null && <Problems error={error} />}
      <div className={css.buttons}>
        {stale.length > 0 && (
          <Button variant="default" onClick={() => void correct({ check: stale }).then(() => turn('notable', 1))}>
            {t('import_check_again')}
          </Button>
        )}
        <Button variant="default" onClick={again}>
          {t('import_again')}
        </Button>
        <Submit
          {...(leave && { onCancel: leave })}
          loading={busy}
          missing={[
            counts.wrong > 0 && t('import_nothing_stored'),
            heads.length > 0 && t('solve_first'),
            saved === 0 && !counts.wrong && t('nothing_to_do'),
          ]}
          onClick={() => void store()}
        >
          {t('import_save', { count: saved })}
        </Submit>
      </div>
    </>
  )
}

/** Which rows are shown, with how many there are of each. */
function Shown({ counts, show, onShow }: { counts: Preview['counts']; show: Show; onShow: (state: Show) => void }) {
  const t = useT('kit-screens')
  const tabs: readonly (readonly [Show, string, number])[] = [
    ['wrong', t('import_wrong'), counts.wrong],
    ['changed', t('import_changed'), counts.changed],
    ['created', t('import_created'), counts.created],
    ['meanwhile', t('import_meanwhile'), counts.meanwhile],
    ['out', t('import_out'), counts.out],
    ['same', t('import_same'), counts.same],
  ]
  return (
    <fieldset className={css.tabs}>
      <legend className={css.hidden}>{t('import_show')}</legend>
      <Button
        size="xs"
        variant={show === 'notable' ? 'filled' : 'default'}
        aria-pressed={show === 'notable'}
        onClick={() => onShow('notable')}
      >
        {t('import_notable')}
      </Button>
      {tabs.map(([state, label, count]) => (
        <Button
          key={state}
          size="xs"
          variant={show === state ? 'filled' : 'default'}
          aria-pressed={show === state}
          disabled={count === 0 && show !== state}
          data-tone={state === 'wrong' && count > 0 ? 'refused' : undefined}
          onClick={() => onShow(state)}
        >
          {label} {formatNumber(count)}
        </Button>
      ))}
    </fieldset>
  )
}

function Lines({ preview, correct }: { preview: Preview; correct: (body: Mend) => Promise<void> }) {
  const t = useT('kit-screens')
  const { columns, lines } = preview
  const also = lines.some((line) => line.changes.some((change) => !columns.some((c) => c.field === change.field)))
  const words: Readonly<Record<Line['state'], string>> = {
    created: t('import_created'),
    changed: t('import_changed'),
    same: t('import_same'),
    wrong: t('import_wrong'),
    out: t('import_out'),
  }
  return (
    <section className={css.sheet} tabIndex={0} aria-label={t('import_rows')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('import_row')}</th>
            {columns.map((c) => (
              <th key={c.field} scope="col">
                <bdi>{c.header}</bdi>
              </th>
            ))}
            {also && <th scope="col">{t('import_also')}</th>}
            <th scope="col">
              <span className={css.hidden}>{t('import_row_actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.row} data-state={line.state}>
              <th scope="row">
                <span className={css.number}>{formatNumber(line.row)}</span>{' '}
                <Status is={LOOKS[line.state]} label={words[line.state]} />
                {line.errors
                  .filter((error) => error.field === null || !columns.some((c) => c.field === error.field))
                  .map((error, i) => (
                    <span key={i} className={css.problem}>
                      {error.column && <bdi>{error.column}: </bdi>}
                      {problemText(error)}
                    </span>
                  ))}
                {line.notes.map((one, i) => (
                  <span key={i} className={css.note}>
                    {problemText(one)}
                  </span>
                ))}
              </th>
              {columns.map((c) => (
                <LineCell key={c.field} line={line} column={c} correct={correct} />
              ))}
              {also && (
                <td>
                  {line.changes
                    .filter((change) => !columns.some((c) => c.field === change.field))
                    .map((change) => (
                      <Change key={change.field} old={change.old} now={change.new} />
                    ))}
                </td>
              )}
              <td>
                <Button
                  size="compact-xs"
                  variant="subtle"
                  onClick={() => void correct({ out: [{ row: line.row, out: line.state !== 'out' }] })}
                >
                  {line.state === 'out' ? t('import_take_in') : t('import_leave_out')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** What was, and what will be. */
const Change = ({ old, now }: { old: string | null; now: string | null }) => (
  <span className={css.change}>
    <del>
      <bdi>{old ?? '–'}</bdi>
    </del>{' '}
    <ins>
      <bdi>{now ?? '–'}</bdi>
    </ins>
  </span>
)

function LineCell({
  line,
  column,
  correct,
}: {
  line: Line
  column: Preview['columns'][number]
  correct: (body: Mend) => Promise<void>
}) {
  const t = useT('kit-screens')
  const l = useLanguage()
  const [editing, setEditing] = useState(false)
  const back = useRef<HTMLButtonElement>(null)
  const { row } = line
  const { field } = column
  const text = line.cells[field] ?? ''
  const errors = line.errors.filter((error) => error.field === field)
  const change = line.changes.find((one) => one.field === field)
  const meanwhile = line.meanwhile.find((one) => one.field === field)
  const end = (value: string | null) => {
    setEditing(false)
    if (value !== null && value !== text) void correct({ cells: [{ row, field, text: value }] })
    requestAnimationFrame(() => back.current?.focus())
  }
  const shown: ReactNode =
    line.state === 'changed' && change ? (
      <Change old={change.old} now={change.new} />
    ) : (
      <bdi>{text || (errors.length ? '–' : '')}</bdi>
    )
  return (
    <td data-wrong={errors.length > 0 || undefined}>
      {editing ? (
        <input
          className={css.input}
          // The cell was just chosen to be edited.
          ref={(input) => input?.focus()}
          aria-label={t('import_edit', { column: column.header, row })}
          aria-invalid={errors.length > 0}
          defaultValue={text}
          dir="auto"
          onFocus={(event) => event.currentTarget.select()}
          onBlur={(event) => end(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') end(event.currentTarget.value)
            // Escape leaves the cell, not the dialog.
            if (event.key === 'Escape') {
              event.stopPropagation()
              event.nativeEvent.stopImmediatePropagation()
              event.currentTarget.value = text
              end(null)
            }
          }}
        />
      ) : (
        <button
          ref={back}
          type="button"
          className={css.cell}
          disabled={line.state === 'out' || column.fixed}
          aria-label={`${t('import_edit', { column: column.header, row })}: ${text}`}
          onClick={() => setEditing(true)}
        >
          {shown}
        </button>
      )}
      {errors.map((error, i) => (
        <span key={i} className={css.problem}>
          {problemText(error)}
        </span>
      ))}
      {meanwhile && (
        <span className={css.meanwhile}>
          {t('import_meanwhile_by', {
            by: meanwhile.by ? nameOf(meanwhile.by, l) : '–',
            value: meanwhile.now ?? '–',
            ago: meanwhile.at ? formatAgo(meanwhile.at) : '',
          })}{' '}
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => void correct({ take: [{ row, field, take: !meanwhile.taken }] })}
          >
            {meanwhile.taken
              ? t('import_keep', { value: meanwhile.now ?? '–' })
              : t('import_take', { value: meanwhile.sheet ?? '–' })}
          </Button>
        </span>
      )}
    </td>
  )
}
