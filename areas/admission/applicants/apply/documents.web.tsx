import { Button, Progress } from '@mantine/core'
import { IconCamera, IconCheck, IconRotateClockwise, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { errorText, formatBytes, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { applyCalls as calls, type Application } from './apply.contract.ts'
import { readied } from './picture.web.ts'
import type { TabProps } from './tab.web.tsx'
import css from './apply.module.css'

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

/** What is being sent of a document. */
function useSending({ application, hand, secret }: TabProps, kind: number) {
  const { send } = useChange()
  const [progress, setProgress] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [chosen, setChosen] = useState<{ file: File; quarters: number } | null>(null)
  const params = { id: application.id, key: secret, kind }
  const put = async (file: File, quarters: number) => {
    setProblem(null)
    setProgress(0)
    setChosen({ file, quarters })
    try {
      const { data } = await send(calls.upload, {
        params,
        file: await readied(file, quarters),
        onProgress: setProgress,
      })
      hand.setApplication(data)
    } catch (error) {
      setProblem(errorText(error))
    }
    setProgress(null)
  }
  const remove = async () => {
    setChosen(null)
    try {
      hand.setApplication((await send(calls.removeDocument, { params })).data)
    } catch (error) {
      setProblem(errorText(error))
    }
  }
  return { progress, problem, chosen, put, remove }
}

function OneDocument({ asked, ...props }: TabProps & { asked: Asked }) {
  const t = useT('applicants')
  const lang = useLanguage()
  const input = useRef<HTMLInputElement>(null)
  const { progress, problem, chosen, put, remove } = useSending(props, asked.kind.id)
  const { open } = props.application
  const name = nameOf(asked.kind, lang)
  const isPicture = chosen?.file.type.startsWith('image/') ?? false
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
        {progress !== null && <Progress value={progress} size="sm" aria-label={t('sending', { name })} />}
        {problem && (
          <small className={css.wrong} role="alert">
            {problem}
          </small>
        )}
      </span>
      {open && (
        <span className={css.moves}>
          <input
            ref={input}
            type="file"
            hidden
            accept="image/jpeg,image/png,application/pdf"
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? []
              event.currentTarget.value = ''
              if (file) void put(file, 0)
            }}
          />
          {asked.file && isPicture && chosen && (
            <Button
              variant="default"
              leftSection={<IconRotateClockwise size={18} aria-hidden />}
              loading={progress !== null}
              aria-label={t('turn_named', { name })}
              onClick={() => void put(chosen.file, chosen.quarters + 1)}
            >
              {t('turn')}
            </Button>
          )}
          {asked.file && (
            <Button
              variant="default"
              leftSection={<IconTrash size={18} aria-hidden />}
              aria-label={t('remove_named', { name })}
              onClick={() => void remove()}
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
    </li>
  )
}
