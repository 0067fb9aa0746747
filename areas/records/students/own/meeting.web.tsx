import type { Label } from '#kit/contract/words.ts'
import { Code } from '#kit/web/feedback/index.ts'
import { formatTimeRange, nameOf, useLabel, useLanguage, useT, weekdays } from '#kit/web/i18n/index.ts'
import type { OwnMeeting } from './own.contract.ts'

const TYPES: Readonly<Record<OwnMeeting['type'], Label>> = {
  Lecture: ['Lecture', 'محاضرة'],
  Lab: ['Lab', 'معمل'],
  Tutorial: ['Tutorial', 'تمارين'],
  Clinic: ['Clinic', 'عيادة'],
}

/** A weekly meeting in one line: kind, day, time, place. */
export function OwnMeetingCard({ meeting, ramadan, team }: { meeting: OwnMeeting; ramadan: boolean; team?: boolean }) {
  const t = useT('students')
  const say = useLabel()
  const lang = useLanguage()
  const time = ramadan ? meeting.ramadan_time : meeting.regular_time
  return (
    <span>
      {say(TYPES[meeting.type])}
      {' · '}
      {meeting.day === null || !time ? (
        t('no_time_yet')
      ) : (
        <>
          {weekdays('long', 6, lang)[meeting.day]} <Code>{formatTimeRange(time.from, time.to)}</Code>
        </>
      )}
      {meeting.location && (
        <>
          {' · '}
          <bdi>{nameOf(meeting.location, lang)}</bdi>
        </>
      )}
      {team &&
        meeting.instructors.map((instructor) => (
          <span key={instructor.id}>
            {' · '}
            <bdi>{nameOf(instructor, lang)}</bdi>
          </span>
        ))}
    </span>
  )
}
