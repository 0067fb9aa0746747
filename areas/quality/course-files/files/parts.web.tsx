import { ActionIcon, Button } from '@mantine/core'
import { IconArchive, IconFile, IconTrash, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { partDialog } from '#kit/web/later.ts'
import { confirm } from '#kit/web/feedback/dialogs.tsx'
import { act, Name, Problems, Status } from '#kit/web/feedback/index.ts'
import { formatBytes, formatInstant, formatNumber, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { courseFileCalls, type CheckedCourseFile, type CheckedPart } from './course-file.contract.ts'
import { OPEN_STATES } from './course-file.rules.ts'
import type { ShownCourseFile } from './show.web.tsx'
import css from '../course-files.module.css'

const BlackOut = partDialog(async () => (await import('./black-out.web.tsx')).BlackOut)
const FromArchive = partDialog(async () => (await import('./from-archive.web.tsx')).FromArchive)
const AFTER = ['/courseFile'] as const
const FILLING = new Set(['submit', 'update'])
const IS = { found: 'done', missing: 'failed', outdated: 'late', later: 'waits' } as const

/** What it consists of, part by part: what is there, and what is handed in. */
export function CourseFileParts({ row, checked }: { row: ShownCourseFile; checked: CheckedCourseFile | undefined }) {
  if (!checked) return <Bone height={320} />
  // Who may hand it in fills it, also while something is missing for that.
  const steps = [...row.abilities, ...Object.keys(row.refused ?? {})]
  const fills = !row.removed && OPEN_STATES.has(row.status ?? '') && steps.some((one) => FILLING.has(one))
  return (
    <Stack>
      {checked.parts.map((part) => (
        <Part key={part.id} id={row.id} part={part} fills={fills} />
      ))}
    </Stack>
  )
}

function Part({ id, part, fills }: { id: number; part: CheckedPart; fills: boolean }) {
  const t = useT('course-files')
  return (
    <Card
      title={nameOf(part)}
      text={t(part.names_hidden ? 'source_samples' : `source_${part.source}`)}
      aside={
        <span className={css.line}>
          {part.is_optional && <small>{t('optional')}</small>}
          <Status
            {...(part.is_optional && part.state === 'missing' ? { tone: 'draft' as const } : { is: IS[part.state] })}
            label={
              part.source === 'upload' && part.min_files > 1
                ? t('found_of', { found: formatNumber(part.found), of: formatNumber(part.min_files) })
                : t(`part_${part.state}`)
            }
          />
        </span>
      }
    >
      {part.documents.length > 0 && (
        <ul className={css.documents}>
          {part.documents.map((one) => (
            <Document key={one.id} of={one} fills={fills} />
          ))}
        </ul>
      )}
      {fills && part.source === 'upload' && !part.removed && <HandIn id={id} part={part} />}
    </Card>
  )
}

function Document({ of, fills }: { of: CheckedPart['documents'][number]; fills: boolean }) {
  const t = useT('course-files')
  const { send } = useChange(...AFTER)
  return (
    <li>
      <a href={of.url} target="_blank" rel="noreferrer">
        <IconFile size={15} aria-hidden /> <bdi>{of.name}</bdi>
      </a>
      <small>
        {formatBytes(of.size)} · {formatInstant(of.at)}
        {of.by && (
          <>
            {' · '}
            <Name row={of.by} />
          </>
        )}
      </small>
      {of.names_hidden && <Status is="done" label={t('names_hidden')} />}
      {of.archive && of.archive !== 'same' && <Status is="late" label={t(`archive_${of.archive}`)} />}
      {fills && (
        <ActionIcon
          variant="subtle"
          color="red"
          aria-label={t('take_out', { name: of.name })}
          onClick={() =>
            void act({
              ask: { title: t('take_out_question', { name: of.name }), action: t('take_out_word'), danger: true },
              go: () => send(courseFileCalls.removeDocument, { params: { id: of.id } }),
              done: () => t('taken_out'),
            })
          }
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      )}
    </li>
  )
}

/** A file from the device, or from the archive. Pictures of students' work are blacked out before they leave the device. */
function HandIn({ id, part }: { id: number; part: CheckedPart }) {
  const t = useT('course-files')
  const picker = useRef<HTMLInputElement>(null)
  const { busy, problem, go, send } = useChange(...AFTER)
  const [picture, setPicture] = useState<File | null>(null)
  const [archive, setArchive] = useState(false)
  const hand = (file: File, hidden: boolean) =>
    go(() =>
      send(courseFileCalls.addDocument, {
        params: { id },
        body: { part_id: part.id, names_hidden: hidden ? 'true' : 'false' },
        file,
      }),
    )
  const chosen = async (file: File) => {
    if (!part.names_hidden) return hand(file, false)
    if (file.type.startsWith('image/')) return setPicture(file)
    const sure = await confirm({ title: t('names_question'), consequence: t('names_text'), action: t('names_sure') })
    if (sure) await hand(file, true)
  }
  return (
    <>
      <div className={css.line}>
        <input
          ref={picker}
          type="file"
          hidden
          aria-label={t('file_of', { part: nameOf(part) })}
          accept=".pdf,.jpg,.jpeg,.png,.docx,.xlsx,.pptx,.zip"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0]
            currentTarget.value = ''
            if (file) void chosen(file)
          }}
        />
        <Button
          variant="default"
          loading={busy}
          leftSection={<IconUpload size={16} aria-hidden />}
          onClick={() => picker.current?.click()}
        >
          {t('hand_in_file')}
        </Button>
        <Button variant="subtle" leftSection={<IconArchive size={16} aria-hidden />} onClick={() => setArchive(true)}>
          {t('from_archive')}
        </Button>
      </div>
      {problem !== null && <Problems error={problem} />}
      {picture && (
        <BlackOut
          file={picture}
          onClose={() => setPicture(null)}
          onDone={(file) => {
            setPicture(null)
            void hand(file, true)
          }}
        />
      )}
      {archive && <FromArchive id={id} part={part} onClose={() => setArchive(false)} />}
    </>
  )
}
