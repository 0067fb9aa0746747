import { Button, NumberInput, Select } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { TERM_TYPES } from '#areas/study/terms/terms/term.contract.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Name, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { formatDate, formatPercent, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import type { TermKind } from '../pricing.rules.ts'
import shared from '../../money.module.css'
import css from '../fees.module.css'
import { shareText, useLookups, useOptions, type PartProps } from './parts.web.tsx'
import { settingsCalls, type DueShown } from './settings.contract.ts'

const keyOf = (row: DueShown) => `${row.term_kind ?? ''} ${row.faculty?.id ?? ''} ${row.level ?? ''}`

/** Instalments of a type: each set for whom it is, with days and shares. */
export function DueDates({ year, type, settings }: PartProps) {
  const t = useT('fees')
  const say = useLabel()
  const [editing, setEditing] = useState<readonly DueShown[] | null>(null)
  const sets = [...Map.groupBy(settings?.due_dates ?? [], keyOf).values()]
  const may = settings?.may_edit ?? false
  return (
    <Card
      title={t('due_dates')}
      text={t('due_dates_text')}
      aside={
        may && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setEditing([])}
          >
            {t('add_days')}
          </Button>
        )
      }
    >
      {settings && !sets.length && <p className={`${css.text} ${shared.dim}`}>{t('no_days')}</p>}
      <ul className={shared.list}>
        {sets.map((set) => {
          const [first] = set as [DueShown]
          const kind = TERM_TYPES.find((termType) => termType.value === first.term_kind)
          return (
            <li key={keyOf(first)} className={css.line}>
              <span className={css.of}>
                <span>{kind ? say(kind.label) : t('every_term')}</span>
                {first.faculty && (
                  <span>
                    <Name row={first.faculty} />
                  </span>
                )}
                {first.level !== null && <span>{t('level_n', { n: first.level })}</span>}
              </span>
              <span className={css.of}>
                {set.map((one) => (
                  <span key={one.id}>
                    {formatDate(one.due_on)} <Code className={shared.dim}>{shareText(one.share)}</Code>
                  </span>
                ))}
                {may && (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    leftSection={<IconPencil size={14} aria-hidden />}
                    onClick={() => setEditing(set)}
                  >
                    {t('edit')}
                  </Button>
                )}
              </span>
            </li>
          )
        })}
      </ul>
      {editing && settings && (
        <DaysForm year={year} type={type} settings={settings} set={editing} onClose={() => setEditing(null)} />
      )}
    </Card>
  )
}

type Line = { id?: number; due_on: string | null; share: number | string }
function DaysForm({
  year,
  type,
  settings,
  set,
  onClose,
}: PartProps & { set: readonly DueShown[]; onClose: () => void }) {
  const t = useT('fees')
  const say = useLabel()
  const options = useOptions()
  const lookups = useLookups()
  const { busy, problem, go, send } = useChange('/years', '/payment-settings')
  const [kind, setKind] = useState<TermKind | null>(set[0]?.term_kind ?? null)
  const [faculty, setFaculty] = useState<string | null>(set[0]?.faculty ? String(set[0].faculty.id) : null)
  const [level, setLevel] = useState<string | null>(set[0]?.level == null ? null : String(set[0].level))
  const [lines, setLines] = useState<readonly Line[]>(
    set.length
      ? set.map((one) => ({ id: one.id, due_on: one.due_on, share: one.share / 10 }))
      : [
          { due_on: null, share: 50 },
          { due_on: null, share: 50 },
        ],
  )
  const change = (at: number, part: Partial<Line>) =>
    setLines((now) => now.map((one, i) => (i === at ? { ...one, ...part } : one)))
  const own = new Set(set.map((one) => one.id))
  const save = async (kept: readonly Line[]) => {
    const mine = kept.map((one, i) => ({
      ...(one.id !== undefined && { id: one.id }),
      instalment: i + 1,
      due_on: one.due_on ?? '',
      share: Math.round(Number(one.share) * 10),
      term_kind: kind,
      faculty_id: faculty === null ? null : Number(faculty),
      level: level === null ? null : Number(level),
    }))
    const others = settings!.due_dates
      .filter((dueDate) => !own.has(dueDate.id))
      .map(({ id, instalment, due_on, share, term_kind, faculty: of, level: at }) => ({
        id,
        instalment,
        due_on,
        share,
        term_kind,
        faculty_id: of?.id ?? null,
        level: at,
      }))
    const body = { due_dates: [...mine, ...others], version: settings!.version }
    if (!(await go(() => send(settingsCalls.dueDates, { params: { yearId: year, type }, body })))) return
    notify.done(t('saved_version'))
    onClose()
  }
  const sum = lines.reduce((all, one) => all + (Number(one.share) || 0), 0)
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('due_dates')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        <div className={css.pair}>
          <Select
            label={say(['Term', 'الفصل الدراسي'])}
            placeholder={t('every_term')}
            clearable
            data={TERM_TYPES.map((termType) => ({ value: termType.value, label: say(termType.label) }))}
            value={kind}
            onChange={(value) => setKind(value)}
          />
          <Select
            label={say(['Faculty', 'الكلية'])}
            placeholder={t('all')}
            clearable
            data={options(lookups?.faculties)}
            value={faculty}
            onChange={setFaculty}
          />
          <Select
            label={say(['Level', 'المستوى'])}
            placeholder={t('all')}
            clearable
            data={(lookups?.levels ?? []).map(String)}
            value={level}
            onChange={setLevel}
          />
        </div>
        {lines.map((line, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- instalments are known by their place
          <div key={i} className={css.pair}>
            <DateInput
              name={`due_${i}`}
              label={t('instalment_n', { n: i + 1 })}
              defaultValue={line.due_on}
              onChange={(value) => change(i, { due_on: value as string | null })}
            />
            <NumberInput
              label={t('share')}
              suffix="%"
              min={0.1}
              max={100}
              decimalScale={1}
              value={line.share}
              onChange={(share) => change(i, { share })}
            />
          </div>
        ))}
        <div className={css.buttons}>
          <span className={shared.dim}>
            {t('shares_sum', { sum: formatPercent(sum / 100, Number.isInteger(sum) ? 0 : 1) })}
          </span>
          {lines.length < 3 && (
            <Button
              variant="default"
              size="xs"
              onClick={() => setLines((now) => [...now, { due_on: null, share: Math.max(0, 100 - sum) }])}
            >
              {t('another_instalment')}
            </Button>
          )}
          {lines.length > 1 && (
            <Button variant="default" size="xs" onClick={() => setLines((now) => now.slice(0, -1))}>
              {t('less_instalment')}
            </Button>
          )}
        </div>
        {problem !== null && <Problems error={problem} />}
        <div className={css.buttons}>
          {set.length > 0 && (
            <Button variant="default" color="red" loading={busy} onClick={() => void save([])}>
              {t('remove_days')}
            </Button>
          )}
          <Submit
            onCancel={onClose}
            loading={busy}
            missing={lines.map((one, i) => !one.due_on && t('instalment_n', { n: i + 1 }))}
            onClick={() => void save(lines)}
          >
            {t('save')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}
