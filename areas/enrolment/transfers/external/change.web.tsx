import { Button } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Code, Dialog, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import css from '../transfers.module.css'
import { externalCalls } from './external.contract.ts'
import type { ExternalDetail } from './external.contract.ts'
import { emptyLine, missingIn, TypedLines, typedCourses, type Typed } from './typed.web.tsx'

const typedOf = ({ equivalences }: ExternalDetail): Typed[] =>
  equivalences.map(({ id, source, percent }) => ({
    key: id,
    id,
    code: source.code,
    name: source.name,
    name_local: source.name_local,
    credit_hours: source.credit_hours,
    grade: source.grade ?? '',
    percent: percent === null ? '' : String(Number(percent)),
  }))
const same = (one: Typed, other: Typed): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Adds courses to those that are entered, and changes or takes away some of them: only what is named goes, and it is said
 * before with what was decided on it.
 */
export function ChangeCourses({ transfer, onClose }: { transfer: ExternalDetail; onClose: () => void }) {
  const t = useT('transfers')
  const k = useT('kit-screens')
  const [there] = useState(() => typedOf(transfer))
  const [lines, setLines] = useState<readonly Typed[]>(() => [...there, emptyLine(there)])
  const { busy, problem, go, send } = useChange('/transfer')
  const filled = lines.filter((one) => one.id !== undefined || one.code.trim() || one.name.trim())
  const kept = new Map(lines.flatMap((one) => (one.id === undefined ? [] : [[one.id, one] as const])))
  const gone = there.filter((one) => !kept.has(one.id!))
  const touched = there.filter((one) => kept.has(one.id!) && !same(one, kept.get(one.id!)!))
  const decided = transfer.equivalences.filter(
    (line) => line.state !== 'none' && [...gone, ...touched].some((one) => one.id === line.id),
  )
  const sent = filled.filter((one) => one.id === undefined || touched.some((other) => other.id === one.id))
  const save = async () => {
    const done = await go(() =>
      send(externalCalls.typeExternal, {
        params: { id: transfer.id },
        body: {
          courses: typedCourses(sent),
          remove: gone.map((one) => one.id!),
          // Who only adds takes nothing from anybody, whatever the others do meanwhile.
          ...((gone.length > 0 || touched.length > 0) && { version: transfer.version }),
        },
      }),
    )
    if (!done) return
    notify.done(t('entered'))
    onClose()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      size={920}
      title={t('change_courses')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <div className={css.form}>
        <p className={css.text}>{t('change_courses_text')}</p>
        <TypedLines
          lines={lines}
          university={transfer.university.id}
          faculty={transfer.university_faculty?.id ?? null}
          onChange={setLines}
        />
        {gone.length > 0 && (
          <p className={css.text} role="status">
            {t('courses_go')}{' '}
            {gone.map((one) => (
              <Code key={one.key}>{one.code}</Code>
            ))}
          </p>
        )}
        {decided.length > 0 && (
          <p className={css.text} role="status">
            {t('decided_anew')}{' '}
            {decided.map((line) => (
              <Code key={line.id}>{line.source.code}</Code>
            ))}
          </p>
        )}
        {problem !== null && <Problems error={problem} />}
        <div className={css.bar}>
          <Submit
            onCancel={onClose}
            loading={busy}
            missing={[...missingIn(filled, t), !sent.length && !gone.length && k('nothing_changed')]}
            onClick={() => void save()}
          >
            {t('save')}
          </Submit>
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
