import { Button, Checkbox } from '@mantine/core'
import { IconFileSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { FileCourse } from '#areas/enrolment/transfers/outlets.contract.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Problems } from '#kit/web/feedback/index.ts'
import { Status } from '#kit/web/feedback/words.tsx'
import { formatDate, problemText, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import css from '../credentials.module.css'
import { credentialCalls } from '../credentials.contract.ts'
import type { ReadForeign } from '../credentials.contract.ts'

/** Takes a credential or ELMO file of another university, tells whether it is genuine, and proposes its courses. */
export function CoursesFromFile({ onCourses }: { onCourses: (courses: readonly FileCourse[]) => void }) {
  const t = useT('credentials')
  const picker = useRef<HTMLInputElement>(null)
  const { busy, problem, go, send } = useChange()
  const [read, setRead] = useState<{ file: string; found: ReadForeign } | null>(null)
  const [over, setOver] = useState(false)
  const take = async (file: File | undefined) => {
    if (!file) return
    setRead(null)
    const done = await go(() => send(credentialCalls.readForeign, { file }))
    if (done) setRead({ file: file.name, found: done.answer.data })
  }
  return (
    <Card title={t('from_file')} text={t('from_file_text')}>
      <div
        className={css.drop}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          void take(event.dataTransfer.files[0])
        }}
      >
        <Button
          variant="default"
          loading={busy}
          leftSection={<IconFileSearch size={16} aria-hidden />}
          onClick={() => picker.current?.click()}
        >
          {t('choose_file')}
        </Button>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".json,.jwt,.xml,.png,.1ob,.svg,.pdf"
          aria-label={t('choose_file')}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            event.currentTarget.value = ''
            void take(file)
          }}
        />
      </div>
      {problem !== null && <Problems error={problem} />}
      {read && (
        <Verdict
          key={read.file}
          file={read.file}
          found={read.found}
          onTake={(courses) => {
            onCourses(courses)
            setRead(null)
          }}
        />
      )}
    </Card>
  )
}

/** Whether the file is genuine, why not, and which of its courses are taken over. */
function Verdict({
  file,
  found,
  onTake,
}: {
  file: string
  found: ReadForeign
  onTake: (courses: readonly FileCourse[]) => void
}) {
  const t = useT('credentials')
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(found.courses.keys()))
  return (
    <section className={css.verdict} aria-live="polite">
      <p>
        <bdi>{file}</bdi>{' '}
        <Status is={found.valid ? 'valid' : 'failed'} label={t(found.valid ? 'verdict_valid' : 'verdict_refused')} />
        {found.issuer && (
          <>
            {' '}
            {t('issued_by')} <bdi>{found.issuer}</bdi>
            {found.issuer_id !== null && found.issuer_id !== found.issuer && (
              <>
                {' '}
                <small>
                  <bdi>{found.issuer_id}</bdi>
                </small>
              </>
            )}
          </>
        )}
      </p>
      {[...found.reasons, ...found.notes].length > 0 && (
        <ul>
          {[...found.reasons, ...found.notes].map((one) => (
            <li key={one.code + JSON.stringify(one.data)}>{problemText(one)}</li>
          ))}
        </ul>
      )}
      {found.valid && !found.courses.length && <p>{t('no_courses')}</p>}
      {found.courses.length > 0 && (
        <>
          <ul className={css.rows}>
            {found.courses.map((course, i) => (
              <li key={i} className={css.row}>
                <Checkbox
                  checked={chosen.has(i)}
                  onChange={(event) => {
                    const next = new Set(chosen)
                    if (event.currentTarget.checked) next.add(i)
                    else next.delete(i)
                    setChosen(next)
                  }}
                  label={
                    <>
                      <bdi>{course.code}</bdi> <bdi>{course.name}</bdi>
                    </>
                  }
                />
                <small>
                  {t('credits', { hours: course.credit_hours })} · <bdi>{course.grade ?? '–'}</bdi>
                  {course.date && (
                    <>
                      {' '}
                      · <bdi>{formatDate(course.date)}</bdi>
                    </>
                  )}
                </small>
              </li>
            ))}
          </ul>
          <Button disabled={!chosen.size} onClick={() => onTake(found.courses.filter((_, i) => chosen.has(i)))}>
            {t('take_courses', { count: chosen.size })}
          </Button>
        </>
      )}
    </section>
  )
}
