import { Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import { IconArmchair, IconScan } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import type { Problem } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, Name, Problems, Status, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import { StateBadge } from '#kit/web/workflow/index.ts'
import { formatDate, formatNumber, nameOf, problemText, useLanguage, useT, withHeading } from '#kit/web/i18n/index.ts'
import { useSearchParams, useUnsaved } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { hallName } from '../hall.rules.ts'
import { absenceCalls, absenceFlow, type HallLine } from './absence.contract.ts'
import { foundBy } from './hall.rules.ts'
import css from '../exam-days.module.css'

/** Absences of a hall as its list has them: everybody who sits there, ticked one after the other, recorded at once. */
export default function HallAbsences() {
  const t = useT('exam-days')
  const lang = useLanguage()
  const [address, setAddress] = useSearchParams()
  const exam = address.get('exam_id')
  const hall = address.get('hall')
  const { data, error, refetch } = useCall(absenceCalls.lookups, { body: exam ? { exam_id: Number(exam) } : {} })
  const known = data?.data
  if (error && !known) return <Failed error={error} retry={() => void refetch()} />
  return (
    <Page title={t('hall_absences')} subtitle={t('hall_absences_text')} wide={false}>
      {!known ? (
        <Bone height={320} />
      ) : (
        <Stack>
          <Card>
            <Stack>
              <Select
                label={t('exam')}
                placeholder={t('choose_exam')}
                searchable
                allowDeselect={false}
                data={known.exams.map((one) => ({
                  value: String(one.id),
                  label: `${one.code} · ${nameOf(one, lang)} (${nameOf(one.term, lang)})`,
                }))}
                value={exam}
                onChange={(value) => value && setAddress({ exam_id: value }, { replace: true })}
              />
              {exam !== null && (
                <Select
                  label={t('hall')}
                  placeholder={t('choose_hall')}
                  searchable
                  allowDeselect={false}
                  nothingFoundMessage={t('no_halls')}
                  data={known.halls.map((one) => ({
                    value: String(one.id),
                    label: `${formatDate(one.date)} ${one.from} · ${hallName(nameOf(one.hall, lang), one.hall.code)} · ${one.courses.join(', ')}`,
                  }))}
                  value={hall}
                  onChange={(value) => value && setAddress({ exam_id: exam, hall: value }, { replace: true })}
                />
              )}
            </Stack>
          </Card>
          {hall === null ? (
            <Empty
              icon={<IconArmchair size={28} stroke={1.5} aria-hidden />}
              title={t('choose_hall')}
              text={t('hall_absences_help')}
            />
          ) : (
            <Hall key={hall} id={Number(hall)} />
          )}
        </Stack>
      )}
    </Page>
  )
}

/** Of whom a refusal speaks. */
function whom({ data }: Problem) {
  return data?.student_code ? (
    <>
      <Name row={{ name: String(data.student), name_local: String(data.student_local) }} />{' '}
      <Code>{String(data.student_code)}</Code>
    </>
  ) : null
}

function Hall({ id }: { id: number }) {
  const t = useT('exam-days')
  const k = useT('kit-screens')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(absenceCalls.hall, { params: { id } })
  const { busy, problem, go, send } = useChange('/exam-absences', '/exam-deliveries', '/exam-seats', '/users/work')
  const [away, setAway] = useState<ReadonlySet<number>>(new Set())
  const [text, setText] = useState('')
  const [note, setNote] = useState('')
  const [said, setSaid] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const hall = data?.data
  const rows = useMemo(() => hall?.rows ?? [], [hall])
  const found = useMemo(() => foundBy(rows, text), [rows, text])
  useUnsaved(away.size > 0)
  if (error && !hall) return <Failed error={error} retry={() => void refetch()} />
  if (!hall) return <Bone height={360} />
  const isOpen = (one: HallLine) => one.refused === null && (one.absence === null || one.absence === 'cancelled')
  const toggle = (one: HallLine) => {
    const next = new Set(away)
    if (!next.delete(one.registration_id)) next.add(one.registration_id)
    setAway(next)
    setSaid(
      t(next.has(one.registration_id) ? 'ticked_absent' : 'ticked_present', {
        seat: formatNumber(one.seat),
        student: nameOf(one.student, lang),
      }),
    )
  }
  /** A scanner, or a hand, ends with Enter: who is meant is ticked, and the next one can be read. */
  const read = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      list.current?.querySelector('input')?.focus()
    }
    if (event.key !== 'Enter' || !text.trim()) return
    event.preventDefault()
    const one = found.exact ?? (found.rows.length === 1 ? found.rows[0] : undefined)
    if (!one) return setSaid(t(found.rows.length ? 'several_found' : 'nobody_found', { text: text.trim() }))
    if (isOpen(one)) toggle(one)
    else setSaid(withHeading(nameOf(one.student, lang), one.refused ? problemText(one.refused, lang) : t('is_absent')))
    setText('')
  }
  const arrows = (event: KeyboardEvent<HTMLUListElement>) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input:not(:disabled)')]
    boxes[boxes.indexOf(event.target as HTMLInputElement) + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
  }
  const save = async () => {
    const done = await go(() =>
      send(absenceCalls.recordHall, {
        params: { id },
        body: { registration_ids: [...away], note: note.trim() || null },
      }),
    )
    // Why it was refused may have come meanwhile: the list says it of each row.
    if (!done) return void refetch()
    const { recorded, excused, already } = done.answer.data
    notify.done(
      [
        t('hall_recorded', { count: recorded }),
        ...(excused ? [t('hall_excused', { count: excused })] : []),
        ...(already ? [t('hall_already', { count: already })] : []),
      ].join(' '),
    )
    setAway(new Set())
    setNote('')
  }
  return (
    <Card
      title={hallName(nameOf(hall.hall, lang), hall.hall.code)}
      aside={
        <Status
          is={hall.begun ? 'ready' : 'waits'}
          label={
            hall.begun
              ? t('hall_counted', { absent: formatNumber(hall.absent), seated: formatNumber(hall.seated) })
              : t('not_begun')
          }
        />
      }
    >
      <Stack>
        <p className={css.text}>
          {formatDate(hall.date)} <Code>{hall.from}</Code> · <Code>{hall.courses.join(' · ')}</Code>
        </p>
        {!rows.length ? (
          <Empty title={t('hall_nobody')} text={t('hall_nobody_text')} />
        ) : (
          <>
            <TextInput
              data-autofocus
              label={t('scan_student')}
              description={t('scan_student_text')}
              leftSection={<IconScan size={16} aria-hidden />}
              autoComplete="off"
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              onKeyDown={read}
            />
            <p className={css.said} aria-live="polite">
              {said}
            </p>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows go between the boxes inside */}
            <ul className={css.ticks} ref={list} onKeyDown={arrows}>
              {found.rows.map((one) => (
                <Tick
                  key={one.registration_id}
                  one={one}
                  begun={hall.begun}
                  away={away.has(one.registration_id)}
                  disabled={!isOpen(one) || busy}
                  onToggle={() => toggle(one)}
                />
              ))}
            </ul>
            {!found.rows.length && <p className={css.text}>{t('nobody_found', { text: text.trim() })}</p>}
            <div className={css.sticky}>
              {away.size > 0 && (
                <Textarea
                  label={<Optional label={t('note')} />}
                  autosize
                  minRows={1}
                  maxRows={4}
                  maxLength={500}
                  value={note}
                  onChange={(event) => setNote(event.currentTarget.value)}
                />
              )}
              {problem !== null && <Problems error={problem} stepOf={whom} />}
              <Submit loading={busy} missing={[!away.size && k('nothing_chosen')]} onClick={() => void save()}>
                {t('record_ticked', { count: away.size })}
              </Submit>
            </div>
          </>
        )}
      </Stack>
    </Card>
  )
}

/** Somebody who sits in the hall, to be ticked. */
function Tick({
  one,
  begun,
  away,
  disabled,
  onToggle,
}: {
  one: HallLine
  begun: boolean
  away: boolean
  disabled: boolean
  onToggle: () => void
}) {
  const lang = useLanguage()
  return (
    <li data-away={away || undefined}>
      <Checkbox
        checked={away}
        disabled={disabled}
        onChange={onToggle}
        label={
          <span className={css.tick}>
            <b>{formatNumber(one.seat)}</b>
            <span>
              <bdi>{nameOf(one.student, lang)}</bdi>
              <small>
                <Code>{one.student.code}</Code> · <Code>{one.course.code}</Code>
              </small>
              {begun && one.refused && <small className={css.warn}>{problemText(one.refused, lang)}</small>}
            </span>
          </span>
        }
      />
      {one.absence !== null && <StateBadge flow={absenceFlow} state={one.absence} />}
    </li>
  )
}
