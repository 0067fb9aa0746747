import { Button, Select } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { Suspense, useRef, useState, type ReactNode } from 'react'
import { fileCalls } from '#kit/contract/kit.area.ts'
import { otherUniversity } from '#areas/common/settings/universities-list/university.contract.ts'
import { universityFaculty } from '#areas/common/settings/university-faculties/university-faculty.contract.ts'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { AddingLookup } from '#kit/web/fields/adding-lookup.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { DraftOffer, useDraft } from '#kit/web/form/draft.tsx'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { forgetUnsaved, to, useNavigate, useUnsaved } from '#kit/web/router/index.ts'
import { filled } from '#kit/web/router/load.tsx'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { coursesFromFile } from '../outlets.contract.ts'
import css from '../transfers.module.css'
import { EXTERNAL_KINDS, externalCalls, externalFields } from './external.contract.ts'
import { emptyLine, missingIn, TypedLines, typedCourses, withFound, type Typed } from './typed.web.tsx'

const FromFile = filled(coursesFromFile)

/** Enters what a student passed elsewhere, with the papers that show it. */
export default function AddExternal() {
  return <EnterExternal />
}

/** The form; `applicant`: of somebody who applies, `intro`: what stands above it, `onEntered`: where it goes on. */
export function EnterExternal({
  applicant = null,
  intro,
  onEntered,
}: {
  applicant?: number | null
  intro?: ReactNode
  onEntered?: () => void
}) {
  const t = useT('transfers')
  const say = useLabel()
  const navigate = useNavigate()
  const [student, setStudent] = useState<number | null>(null)
  const [kind, setKind] = useState<'external' | 'study_abroad'>('external')
  const me = useMe()
  const [university, setUniversity] = useState<number | null>(null)
  const [faculty, setFaculty] = useState<number | null>(null)
  const [lines, setLines] = useState<readonly Typed[]>([emptyLine([])])
  const [files, setFiles] = useState<readonly { id: number; name: string }[]>([])
  const { busy, problem, go, send } = useChange('/transfer')
  const [round, setRound] = useState(0)
  const typed = lines.some((line) => line.code.trim() !== '' || line.name.trim() !== '')
  const draft = useDraft(
    applicant === null ? 'external_transfer' : `external_transfer.${applicant}`,
    typed ? { student, kind, university, faculty, lines } : null,
    (kept) => {
      setStudent(kept.student ?? null)
      setKind(kept.kind ?? 'external')
      setUniversity(kept.university ?? null)
      setFaculty(kept.faculty ?? null)
      setLines(kept.lines ?? [emptyLine([])])
      setRound(round + 1)
    },
  )
  useUnsaved(files.length > 0)
  const attach = async (chosen: Iterable<File>) => {
    for (const file of chosen) {
      const done = await go(() => send(fileCalls.uploadFile, { file }))
      if (!done) return
      const { id, name } = done.answer.data
      setFiles((kept) => [...kept, { id, name }])
    }
  }
  const save = async () => {
    const entry = {
      university_id: university!,
      university_faculty_id: faculty,
      courses: typedCourses(lines),
      file_ids: files.map((one) => one.id),
    }
    const done = await go(() =>
      applicant === null
        ? send(externalCalls.addExternal, { params: { id: student! }, body: { kind, ...entry } })
        : send(externalCalls.addForApplicant, { params: { id: applicant }, body: entry }),
    )
    if (!done) return
    draft.sent()
    forgetUnsaved()
    notify.done(t('entered'))
    if (onEntered) return onEntered()
    void navigate(
      to('/students/:student_id/external_transfer/:transfer_id', {
        student_id: student!,
        transfer_id: done.answer.data.id,
      }),
    )
  }
  return (
    <Page
      title={t('enter_courses')}
      action={
        <Submit
          loading={busy}
          missing={[
            applicant === null && student === null && t('student'),
            university === null && say(externalFields.university_id.label),
            ...missingIn(lines, t),
          ]}
          onClick={() => void save()}
        >
          {t('save')}
        </Submit>
      }
    >
      <Stack>
        {problem !== null && <Problems error={problem} />}
        {intro}
        <Card>
          <div className={css.form}>
            <DraftOffer of={draft} />
            {applicant === null && (
              <LookupInput
                key={round}
                resource="student"
                label={t('student')}
                defaultValue={student}
                onChange={setStudent}
              />
            )}
            {applicant === null && (
              <Select
                label={say(externalFields.kind.label)}
                data={EXTERNAL_KINDS.map((externalKind) => ({
                  value: externalKind.value,
                  label: say(externalKind.label),
                }))}
                value={kind}
                allowDeselect={false}
                onChange={(value) => setKind(value ?? 'external')}
              />
            )}
            <AddingLookup
              key={`of ${round}`}
              of={otherUniversity}
              label={say(externalFields.university_id.label)}
              description={me.may(otherUniversity.permissions.add!) ? undefined : t('university_missing')}
              defaultValue={university}
              onChange={(id) => {
                setUniversity(id)
                setFaculty(null)
              }}
            />
            <AddingLookup
              key={`${university} ${round}`}
              of={universityFaculty}
              given={{ university_id: university }}
              label={say(externalFields.university_faculty_id.label)}
              disabled={university === null}
              filters={{ university_id: university }}
              defaultValue={faculty}
              onChange={setFaculty}
            />
          </div>
        </Card>
        <Suspense fallback={<Bone height={120} />}>
          <FromFile onCourses={(courses) => setLines((kept) => withFound(kept, courses))} />
        </Suspense>
        <Card title={t('theirs')}>
          <TypedLines lines={lines} university={university} faculty={faculty} onChange={setLines} />
        </Card>
        <Papers files={files} attach={attach} />
      </Stack>
    </Page>
  )
}

/** What shows that the courses were passed. */
function Papers({
  files,
  attach,
}: {
  files: readonly { id: number; name: string }[]
  attach: (chosen: Iterable<File>) => Promise<void>
}) {
  const t = useT('transfers')
  const picker = useRef<HTMLInputElement>(null)
  return (
    <Card title={t('papers')} text={t('papers_text')}>
      <ul className={css.groups}>
        {files.map((one) => (
          <li key={one.id}>
            <bdi>{one.name}</bdi>
          </li>
        ))}
      </ul>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPaperclip size={14} aria-hidden />}
        disabled={files.length >= 12}
        onClick={() => picker.current?.click()}
      >
        {t('attach')}
      </Button>
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        aria-label={t('attach')}
        onChange={(event) => {
          const chosen = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          void attach(chosen)
        }}
      />
    </Card>
  )
}
