import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconSearch, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { Failed } from '#kit/web/feedback/index.ts'
import { fold, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { applyCalls as calls, type OfferedProgram } from './apply.contract.ts'
import type { TabProps } from './tab.web.tsx'
import css from './apply.module.css'

interface Wish {
  readonly program_id: number
}
const percent = (text: string): string => `${Number(text)}%`

/** Programs in the order of one's wishes, and those that can be chosen, with what they ask and what was needed last year. */
export function Wishes({ application, hand, problemOf }: TabProps) {
  const t = useT('applicants')
  const lang = useLanguage()
  const [search, setSearch] = useState('')
  const { data, error, refetch } = useCall(calls.data, { query: { admission_id: application.admission.id } })
  const wishes = (application.values.preferences ?? []) as readonly Wish[]
  const programs = data?.data.programs ?? []
  const known = new Map(programs.map((one) => [one.program.id, one]))
  const { max_preferences: most } = application.admission
  const put = (next: readonly Wish[]) => hand.put({ preferences: next })
  const move = (from: number, by: number) => {
    const next = [...wishes]
    const [one] = next.splice(from, 1)
    if (one) next.splice(from + by, 0, one)
    put(next)
  }
  const typed = fold(search.trim())
  const free = programs.filter(
    (one) =>
      !wishes.some((wish) => wish.program_id === one.program.id) &&
      (!typed ||
        fold(`${one.program.name} ${one.program.name_local} ${one.faculty.name} ${one.faculty.name_local}`).includes(
          typed,
        )),
  )
  const wrong = problemOf('preferences')
  if (error) return <Failed error={error} retry={() => void refetch()} />
  return (
    <section className={css.wishes} aria-label={t('wishes')}>
      <h2>{t('wishes')}</h2>
      <p className={css.dim}>{t('wishes_text', { most: formatNumber(most) })}</p>
      {wishes.length > 0 && (
        <ol className={css.chosen}>
          {wishes.map(({ program_id }, i) => {
            const one = known.get(program_id)
            const name = one ? nameOf(one.program, lang) : t('not_offered')
            return (
              <li key={program_id} data-wrong={problemOf(`preferences.${i}`) !== null || undefined}>
                <span className={css.place}>{formatNumber(i + 1)}</span>
                <span className={css.grow}>
                  <strong>{name}</strong>
                  {one && <small>{nameOf(one.faculty, lang)}</small>}
                  {problemOf(`preferences.${i}`) && (
                    <small className={css.wrong}>{problemOf(`preferences.${i}`)}</small>
                  )}
                </span>
                {application.open && (
                  <span className={css.moves}>
                    <ActionIcon
                      variant="default"
                      size={40}
                      disabled={i === 0}
                      aria-label={t('earlier', { name })}
                      onClick={() => move(i, -1)}
                    >
                      <IconArrowUp size={18} aria-hidden />
                    </ActionIcon>
                    <ActionIcon
                      variant="default"
                      size={40}
                      disabled={i === wishes.length - 1}
                      aria-label={t('later', { name })}
                      onClick={() => move(i, 1)}
                    >
                      <IconArrowDown size={18} aria-hidden />
                    </ActionIcon>
                    <ActionIcon
                      variant="default"
                      size={40}
                      aria-label={t('take_out', { name })}
                      onClick={() => put(wishes.filter((wish) => wish.program_id !== program_id))}
                    >
                      <IconX size={18} aria-hidden />
                    </ActionIcon>
                  </span>
                )}
              </li>
            )
          })}
        </ol>
      )}
      {wrong && <p className={css.wrong}>{wrong}</p>}
      {application.open && (
        <>
          <TextInput
            size="md"
            aria-label={t('find_program')}
            placeholder={t('find_program')}
            leftSection={<IconSearch size={18} aria-hidden />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          {!data ? (
            <Bone height={240} />
          ) : (
            <ul className={css.offered}>
              {free.map((one) => (
                <Offered
                  key={one.id}
                  program={one}
                  percentage={application.percentage}
                  full={wishes.length >= most}
                  add={() => put([...wishes.map(({ program_id }) => ({ program_id })), { program_id: one.program.id }])}
                />
              ))}
            </ul>
          )}
        </>
      )}
    </section>
  )
}

function Offered({
  program: one,
  percentage,
  full,
  add,
}: {
  program: OfferedProgram
  percentage: string | null
  full: boolean
  add: () => void
}) {
  const t = useT('applicants')
  const lang = useLanguage()
  const below = percentage !== null && one.min_percentage !== null && Number(percentage) < Number(one.min_percentage)
  return (
    <li>
      <span className={css.grow}>
        <strong>{nameOf(one.program, lang)}</strong>
        <small>{nameOf(one.faculty, lang)}</small>
        <small>
          {one.min_percentage !== null && <>{t('from_percent', { percent: percent(one.min_percentage) })} </>}
          {one.last_cut_off !== null && <>{t('last_year', { percent: percent(one.last_cut_off) })}</>}
        </small>
        {one.subjects.map(({ subject, min_percentage }) => (
          <small key={subject.id}>
            {t('subject_from', { subject: nameOf(subject, lang), percent: percent(min_percentage) })}
          </small>
        ))}
        {below && <small className={css.wrong}>{t('below_minimum')}</small>}
      </span>
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={full}
        aria-label={t('add_wish', { name: nameOf(one.program, lang) })}
        onClick={add}
      >
        {t('add')}
      </Button>
    </li>
  )
}
