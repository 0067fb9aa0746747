import { useState } from 'react'
import { Skeleton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Empty, Failed } from '#kit/web/feedback/index.ts'
import { fold, useT } from '#kit/web/i18n/index.ts'
import type { AvailableOffering } from '../requests/request.contract.ts'
import { againstAll } from './against.rules.ts'
import { SendChosen } from './chosen.web.tsx'
import { OfferingCard } from './offering-card.web.tsx'
import { AgainstAll } from './parts.web.tsx'
import type { DeskState } from './use-desk.web.ts'
import css from './desk.module.css'

/** What can still be had, by its place in the study plan. */
export function AvailableCourses({ desk }: { desk: DeskState }) {
  const t = useT('registration')
  const [search, setSearch] = useState('')
  const { availableQuery, available, requested, offerings, choices, studentId } = desk
  // The order of the first look: a card that was just asked for stays under the finger until the next visit.
  const [ranks, setRanks] = useState<ReadonlyMap<number, number> | null>(null)
  if (available && !ranks) setRanks(new Map(offerings.map((one) => [one.id, rankOf(one)])))
  const found = offerings.filter((one) => matches(one, search))
  // What is passed already is seldom wanted: it stands at the end, folded away.
  const isPassed = (one: AvailableOffering) =>
    one.registration === null && !choices[one.id] && one.refusals.some((reason) => reason.code === 'already_passed')
  const groups = groupByPlan(
    found.filter((one) => !isPassed(one)),
    (one) => ranks?.get(one.id) ?? rankOf(one),
  )
  const passed = found.filter(isPassed)
  const card = (one: AvailableOffering) => (
    <OfferingCard
      key={one.id}
      offering={one}
      chosen={choices[one.id]}
      waited={requested?.waiting.find(({ offering_id }) => offering_id === one.id)?.offering_slot_ids}
      busy={desk.busy}
      studentId={studentId}
      open={desk.way !== null}
      overQuota={desk.overQuota}
      mayOverride={desk.may('override')}
      onChoose={(slots) => desk.choose(one, slots)}
      send={<SendChosen desk={desk} small />}
    />
  )
  return (
    <section className={css.panel} aria-labelledby="registration-available">
      <header className={css.panelHead}>
        <h2 id="registration-available">{t('available')}</h2>
        <TextInput
          size="xs"
          className={css.search}
          leftSection={<IconSearch size={14} aria-hidden />}
          placeholder={t('search_courses')}
          aria-label={t('search_courses')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </header>
      {availableQuery.error && !available ? (
        <Failed error={availableQuery.error} retry={() => void availableQuery.refetch()} />
      ) : !available ? (
        <Skeleton height={240} />
      ) : found.length === 0 ? (
        <Empty
          title={t(search ? 'nothing_found' : 'nothing_offered')}
          text={search ? undefined : t('nothing_offered_text')}
        />
      ) : (
        <>
          <AgainstAll reasons={againstAll(offerings)} studentId={studentId} />
          {groups.map((group) => (
            <section key={group.key} className={css.semester}>
              <h3>
                {group.level === null
                  ? t('outside_plan')
                  : t('plan_place', { level: group.level, semester: group.semester ?? 0 })}
              </h3>
              {group.offerings.map(card)}
            </section>
          ))}
          {passed.length > 0 && (
            <details className={css.passed} open={search !== '' || undefined}>
              <summary>{t('passed_section', { count: passed.length })}</summary>
              {passed.map(card)}
            </details>
          )}
        </>
      )}
    </section>
  )
}

const matches = (one: AvailableOffering, search: string): boolean => {
  const text = fold(
    [one.course.code, one.course.name, one.course.name_local, ...one.instructors.flatMap((i) => [i.name, i.name_local])]
      .filter(Boolean)
      .join(' '),
  )
  return fold(search)
    .split(' ')
    .every((word) => text.includes(word))
}

const rankOf = (one: AvailableOffering) => (one.registration ? 2 : one.refusals.length ? 1 : 0)

type PlanGroup = { key: string; level: number | null; semester: number | null; offerings: AvailableOffering[] }
/** By place in the study plan; what can be had stands before what cannot. */
function groupByPlan(offerings: readonly AvailableOffering[], rank: (one: AvailableOffering) => number): PlanGroup[] {
  const groups = Map.groupBy(offerings, (one) => (one.plan ? `${one.plan.level}/${one.plan.semester}` : ''))
  return [...groups]
    .map(([key, list]) => ({
      key,
      level: list[0]!.plan?.level ?? null,
      semester: list[0]!.plan?.semester ?? null,
      offerings: list.toSorted((a, b) => rank(a) - rank(b)),
    }))
    .toSorted((a, b) => (a.level ?? 99) - (b.level ?? 99) || (a.semester ?? 99) - (b.semester ?? 99))
}
