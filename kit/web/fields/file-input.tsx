import { useId, useRef, useState } from 'react'
import { ActionIcon, Button, Input, Progress } from '@mantine/core'
import { IconFile, IconUpload, IconX } from '@tabler/icons-react'
import { fileCalls } from '#kit/contract/kit.area.ts'
import { isAbort, useChange } from '../api/index.ts'
import { errorText, formatBytes, useT } from '../i18n/index.ts'
import type { FieldInputProps } from './inputs.tsx'
import css from './fields.module.css'

interface Stored {
  readonly id: number
  readonly name: string
  readonly size: number
}
/** A file that is uploaded as soon as it is chosen or dropped, with progress; reports its id. */
export function FileField(props: FieldInputProps) {
  const { send } = useChange()
  const t = useT('kit-screens')
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const stop = useRef<AbortController>(null)
  const [file, setFile] = useState<Stored | null>(() => {
    const stored = props.row?.[props.name] as Stored | null | undefined
    const given = props.defaultValue as number | null | undefined
    if (!given) return null
    return stored?.id === given ? stored : { id: given, name: t('file_number', { id: given }), size: 0 }
  })
  const [progress, setProgress] = useState<number | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const take = async (chosen: File | null | undefined) => {
    if (!chosen) return
    setFailed(null)
    setProgress(0)
    stop.current = new AbortController()
    try {
      const { data } = await send(fileCalls.uploadFile, {
        file: chosen,
        onProgress: setProgress,
        signal: stop.current.signal,
      })
      setFile(data)
      props.onChange(data.id)
    } catch (error) {
      if (!isAbort(error)) setFailed(errorText(error))
    } finally {
      setProgress(null)
      if (picker.current) picker.current.value = ''
    }
  }
  return (
    <Input.Wrapper
      label={props.label}
      description={props.description}
      error={failed ?? props.error}
      id={props.id ?? id}
    >
      <div
        className={css.fileRow}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          void take(event.dataTransfer.files[0])
        }}
      >
        {/* The picker itself is what the label names; the button beside it only opens it. */}
        <input
          ref={picker}
          id={props.id ?? id}
          name={props.name}
          type="file"
          hidden
          accept={props.field.accept?.map((ext) => `.${ext}`).join(',')}
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
        {progress !== null ? (
          <>
            <Progress value={progress} w={160} aria-label={t('uploading')} />
            <span className={css.figures}>{progress}%</span>
            <ActionIcon variant="subtle" color="gray" aria-label={t('cancel')} onClick={() => stop.current?.abort()}>
              <IconX size={14} />
            </ActionIcon>
          </>
        ) : (
          <>
            {file && (
              <>
                <IconFile size={16} aria-hidden />
                <bdi className={css.fileName}>{file.name}</bdi>
                {file.size > 0 && <span className={css.optionCode}>{formatBytes(file.size)}</span>}
                {!props.disabled && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('remove_file')}
                    onClick={() => {
                      setFile(null)
                      props.onChange(null)
                    }}
                  >
                    <IconX size={14} />
                  </ActionIcon>
                )}
              </>
            )}
            <Button
              variant="default"
              size="xs"
              leftSection={<IconUpload size={14} />}
              disabled={props.disabled}
              onClick={() => picker.current?.click()}
            >
              {t(file ? 'file_replace' : 'file_choose')}
            </Button>
          </>
        )}
      </div>
    </Input.Wrapper>
  )
}
