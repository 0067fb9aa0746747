import { Button, Progress } from '@mantine/core'
import { IconCamera, IconCheck, IconCrop, IconTrash } from '@tabler/icons-react'
import { Suspense, useRef, useState } from 'react'
import { ApiError, useChange } from '#kit/web/api/index.ts'
import { errorText, formatBytes, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { applyCalls as calls, type Application } from './apply.contract.ts'
import { part } from '#kit/web/later.ts'
import { lineStore } from '#kit/web/offline/line.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { sendDocument } from './sending.web.ts'
import { isPicture, openPicture, type ChosenPicture } from './picture.web.ts'
import type { PictureEdit } from './picture-editor.web.tsx'
import type { TabProps } from './tab.web.tsx'
import css from './apply.module.css'

const PictureEditor = part(async () => (await import('./picture-editor.web.tsx')).PictureEditor)
const UNEDITED: PictureEdit = { cut: { left: 0, top: 0, right: 1, bottom: 1 }, quarters: 0 }

type Asked = Application['admission']['documents'][number]

/** The documents that are asked for: photographed or chosen, turned and made small here, sent one by one. */
export function ApplicationDocuments(props: TabProps) {
  const t = useT('applicants')
  const { documents } = props.application.admission
  if (documents.length === 0) return <p className={css.lead}>{t('no_documents')}</p>
  return (
    <>
      <p className={css.lead}>{t('documents_text')}</p>
      <ul className={css.documents}>
        {documents.map((one) => (
          <OneDocument key={one.kind.id} asked={one} {...props} />
        ))}
      </ul>
    </>
  )
}

/** A picture that is or was edited here. */
interface Edited {
  readonly picture: ChosenPicture
  readonly edit: PictureEdit
}

/** What is being sent of a document. */
function useSending({ application, hand, secret }: TabProps, kind: number) {
  const { send } = useChange()
  const [progress, setProgress] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const params = { id: application.id, key: secret, kind }
  const put = async (file: File) => {
    setProblem(null)
    setProgress(0)
    try {
      hand.setApplication(await sendDocument(send, params, file, setProgress))
    } catch (error) {
      setProblem(errorText(error))
      // Its answer was lost, or another window has sent it: what is there is asked.
      if (error instanceof ApiError && error.code === 'application_upload_over') hand.reload()
    }
    setProgress(null)
  }
  const remove = async () => {
    try {
      hand.setApplication((await send(calls.removeDocument, { params })).data)
    } catch (error) {
      setProblem(errorText(error))
    }
  }
  return { progress, problem, put, remove }
}

function OneDocument({ asked, ...props }: TabProps & { asked: Asked }) {
  const t = useT('applicants')
  const lang = useLanguage()
  const input = useRef<HTMLInputElement>(null)
  const { progress, problem, put, remove } = useSending(props, asked.kind.id)
  const there = lineStore.use()
  const [edited, setEdited] = useState<Edited | null>(null)
  const [editing, setEditing] = useState(false)
  const { open } = props.application
  const name = nameOf(asked.kind, lang)
  const choose = async (file: File) => {
    const picture = isPicture(file) ? await openPicture(file) : null
    setEdited(picture && { picture, edit: UNEDITED })
    setEditing(picture !== null)
    // What is no picture, or cannot be shown, is looked at by the server.
    if (!picture) await put(file)
  }
  return (
    <li className={css.document} data-done={asked.file !== null || undefined}>
      <span className={css.mark} aria-hidden>
        {asked.file && <IconCheck size={14} stroke={2.4} />}
      </span>
      <span className={css.grow}>
        <strong>{name}</strong>
        <small>
          {asked.file ? (
            <>
              <bdi>{asked.file.name}</bdi> · {formatBytes(asked.file.size)}
            </>
          ) : (
            t(asked.is_required ? 'needed' : 'optional')
          )}
        </small>
        {progress !== null && (
          <>
            <Progress value={progress} size="sm" aria-label={t('sending', { name })} />
            <small>{t(there ? 'sent_of' : 'sending_waits', { percent: `${formatNumber(progress)}%` })}</small>
          </>
        )}
        {problem && (
          <small className={css.wrong} role="alert">
            {problem}
          </small>
        )}
      </span>
      {open && !editing && (
        <span className={css.moves}>
          <input
            ref={input}
            type="file"
            hidden
            accept="image/jpeg,image/png,application/pdf"
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? []
              event.currentTarget.value = ''
              if (file) void choose(file)
            }}
          />
          {asked.file && edited && (
            <Button
              variant="default"
              leftSection={<IconCrop size={18} aria-hidden />}
              loading={progress !== null}
              aria-label={t('edit_picture_named', { name })}
              onClick={() => setEditing(true)}
            >
              {t('edit_picture')}
            </Button>
          )}
          {asked.file && (
            <Button
              variant="default"
              leftSection={<IconTrash size={18} aria-hidden />}
              aria-label={t('remove_named', { name })}
              onClick={() => {
                setEdited(null)
                void remove()
              }}
            >
              {t('remove')}
            </Button>
          )}
          <Button
            variant={asked.file ? 'default' : 'filled'}
            leftSection={<IconCamera size={18} aria-hidden />}
            loading={progress !== null}
            aria-label={t(asked.file ? 'replace_named' : 'add_named', { name })}
            onClick={() => input.current?.click()}
          >
            {t(asked.file ? 'replace' : 'add_file')}
          </Button>
        </span>
      )}
      {open && editing && edited && (
        <Suspense fallback={<Bone height={320} />}>
          <PictureEditor
            picture={edited.picture}
            name={name}
            from={edited.edit}
            onCancel={() => setEditing(false)}
            onUse={(file, edit) => {
              setEdited({ ...edited, edit })
              setEditing(false)
              void put(file)
            }}
          />
        </Suspense>
      )}
    </li>
  )
}
