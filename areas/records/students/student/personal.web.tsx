import { Suspense } from 'react'
import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { f } from '#kit/contract/field.ts'
import { resourceCalls } from '#kit/contract/resource.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { HistoryOf } from '#kit/web/detail/history.tsx'
import { FactsOf } from '#kit/web/detail/parts.tsx'
import { Failed, notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import type { StudentDashboard } from '../record/record.contract.ts'
import { FormerNames } from '../names/former.web.tsx'
import { sectionCalls } from '../sections/section.contract.ts'
import css from '../students.module.css'
import { STUDENT_SECTIONS, isStudentChanged, student } from './student.contract.ts'

const calls = resourceCalls(student)
const NamesOf = part(async () => (await import('#areas/people/people/names/names.web.tsx')).NamesOf)

/** The sections of a student's data, each with its way to change it, and what was changed before. */
export function PersonalData({ id, editable }: { id: number; editable: boolean }) {
  const t = useT('students')
  const tk = useT('kit-screens')
  const say = useLabel()
  const { data, error, refetch } = useCall(calls.get, { params: { id } })
  const row = data?.data as unknown as Record<string, unknown> | undefined
  if (error && !row) return <Failed error={error} retry={() => void refetch()} />
  if (!row) return <Bone height={320} />
  return (
    <Stack>
      <Suspense fallback={<Bone height={220} />}>
        <NamesOf kind="student" id={id} />
      </Suspense>
      {may(['show_student_private', 'edit_students', 'access_student']) && <FormerNames id={id} />}
      {STUDENT_SECTIONS.map((section) => (
        <Card
          key={section.key}
          title={say(section.title)}
          aside={
            editable &&
            isStudentChanged(section) && (
              <Button
                component={Link}
                to={to('/students/edit/:id/:details', { id, details: section.key })}
                variant="subtle"
                size="compact-sm"
                leftSection={<IconPencil size={14} aria-hidden />}
                aria-label={t('edit_section', { section: say(section.title) })}
              >
                {t('edit')}
              </Button>
            )
          }
        >
          <FactsOf fields={student.fields} row={row} names={section.fields} />
        </Card>
      ))}
      {may('show_students') && (
        <Card title={tk('history')}>
          <HistoryOf call={calls.history} params={{ id }} />
        </Card>
      )}
    </Stack>
  )
}

const NOTES = { notes: f.longText(['Notes', 'ملاحظات'], { help: ['Seen by staff only', 'لا يراها إلا العاملون'] }) }

/** What staff wrote about a student. */
export function PersonalNotes({ data: { student: person }, editable }: { data: StudentDashboard; editable: boolean }) {
  const t = useT('students')
  const { send } = useChange('/students')
  if (!editable) {
    return (
      <Card>
        <div style={{ whiteSpace: 'pre-wrap' }} dir="auto">
          {person.notes}
        </div>
      </Card>
    )
  }
  return (
    <div className={css.notes}>
      <Form
        fields={NOTES}
        values={{ notes: person.notes, version: person.version }}
        submit={t('save_notes')}
        onSave={async (values, _changed, version) =>
          send(sectionCalls.updateNotes, {
            params: { id: person.id },
            body: { notes: (values.notes as string | null) || null, version },
          })
        }
        onSaved={() => {
          notify.done(t('notes_saved'))
        }}
      />
    </div>
  )
}
