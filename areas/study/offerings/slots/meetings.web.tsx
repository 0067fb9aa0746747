import { Button, SegmentedControl } from '@mantine/core'
import { IconPencil, IconWand } from '@tabler/icons-react'
import { useState } from 'react'
import { MeetingType } from '#kit/web/timetable/meeting-type.tsx'
import { Code, Empty, Name } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { Timetable } from '#kit/web/timetable/timetable.tsx'
import type { TimetableEvent } from '#kit/web/timetable/timetable.tsx'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { WhyNot } from '#kit/web/workflow/index.ts'
import css from '../offerings.module.css'
import { MeetingTime, SeatBar, offeringCode } from '../parts.web.tsx'
import type { OfferingRow } from '../parts.web.tsx'
import { Generate } from './generate.web.tsx'

/** Groups with their meetings, as a list or as a week. */
export function Meetings({ row }: { row: OfferingRow }) {
  const t = useT('offerings')
  const lang = useLanguage()
  const navigate = useNavigate()
  const [week, setWeek] = useState(false)
  const [generating, setGenerating] = useState(false)
  const groups = row.groups ?? []
  const may = row.abilities.includes('slots')
  const edit = () => void navigate(to('/offering/edit/:id', { id: row.id }, { tab: 'meetings' }))
  const events: TimetableEvent[] = groups.flatMap((g) =>
    g.meetings.flatMap((m) =>
      m.day === null || !m.slot
        ? []
        : [
            {
              id: m.id,
              day: m.day,
              from: m.slot.start,
              to: m.slot.end,
              type: m.type,
              title: t('group', { number: g.number }) + (m.section ? ` ${m.section}` : ''),
              lines: [m.location?.code ?? '', ...m.instructors.map((i) => nameOf(i, lang))].filter(Boolean),
            },
          ],
    ),
  )
  const tools = may && (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconWand size={15} aria-hidden />}
        onClick={() => setGenerating(true)}
      >
        {t('generate')}
      </Button>
      <Button variant="default" size="xs" leftSection={<IconPencil size={15} aria-hidden />} onClick={edit}>
        {t('edit_meetings')}
      </Button>
    </>
  )
  return (
    <Stack>
      <div className={css.tools}>
        <SegmentedControl
          size="xs"
          aria-label={t('meetings')}
          value={week ? 'week' : 'list'}
          onChange={(value) => setWeek(value === 'week')}
          data={[
            { value: 'list', label: t('as_list') },
            { value: 'week', label: t('as_week') },
          ]}
        />
        <div className={css.cardActions}>{tools}</div>
      </div>
      <WhyNot row={row} ability="slots" />
      {week ? (
        <Timetable
          title={`${nameOf(row.course, lang)} ${offeringCode(row)}`}
          note={row.term ? nameOf(row.term, lang) : undefined}
          events={events}
        />
      ) : groups.some((g) => g.meetings.length) ? (
        <ul className={css.groups}>
          {groups.map((g) => (
            <li key={g.id}>
              <Card>
                <h2>{t('group', { number: g.number })}</h2>
                <ul className={css.meetings}>
                  {g.meetings.map((m) => (
                    <li key={m.id}>
                      <span>
                        <MeetingType {...m} />
                      </span>
                      <MeetingTime meeting={m} />
                      <span>
                        {m.instructors.length ? (
                          m.instructors.map((i, n) => (
                            <span key={i.id}>
                              {n > 0 && (lang === 'ar' ? '، ' : ', ')}
                              <Name row={i} />
                            </span>
                          ))
                        ) : (
                          <span className={css.dim}>{t('no_instructor_yet')}</span>
                        )}
                      </span>
                      <SeatBar taken={m.taken} quota={m.quota} over={m.over_quota} />
                    </li>
                  ))}
                  {!g.meetings.length && <li className={css.dim}>{t('no_meetings')}</li>}
                </ul>
              </Card>
            </li>
          ))}
        </ul>
      ) : (
        <Empty
          title={t('no_meetings')}
          text={t('no_meetings_text')}
          action={may && <Button onClick={() => setGenerating(true)}>{t('generate')}</Button>}
        />
      )}
      {row.linked_offering && (
        <p className={css.dim}>
          {t('seats_from')} <Code>{row.linked_offering.code}</Code>
        </p>
      )}
      {generating && <Generate row={row} onClose={() => setGenerating(false)} />}
    </Stack>
  )
}
