import { ActionIcon, Progress } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import type { Change } from '#kit/web/api/index.ts'
import { Bdi, Problems, Status } from '#kit/web/feedback/index.ts'
import { formatBytes, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import css from './archive.module.css'
import { forgetSending, pauseSending, resumeSending, useSendings } from './queue.web.ts'

/** Files on their way: how far each is, with pause, going on, and why one was refused. */
export function Uploads({ change }: { change: Pick<Change, 'go' | 'send'> }) {
  const t = useT('archive')
  const list = useSendings()
  if (!list.length) return null
  return (
    <Card title={t('uploads')}>
      <ul className={css.uploads} aria-label={t('uploads')}>
        {list.map(({ id, file, path, state, percent, problem }) => (
          <li key={id}>
            <div className={css.upload}>
              <Bdi className={css.grow}>{path ? `${path}/${file.name}` : file.name}</Bdi>
              <span className={css.dim}>{formatBytes(file.size)}</span>
              <Status is={`upload_${state}`} label={state === 'running' ? `${percent} %` : t(`upload_${state}`)} />
              {state === 'running' && (
                <ActionIcon
                  variant="subtle"
                  aria-label={t('pause', { name: file.name })}
                  onClick={() => pauseSending(id)}
                >
                  <IconPlayerPause size={16} aria-hidden />
                </ActionIcon>
              )}
              {(state === 'paused' || state === 'failed') && (
                <ActionIcon
                  variant="subtle"
                  aria-label={t('resume', { name: file.name })}
                  onClick={() => resumeSending(id, change)}
                >
                  <IconPlayerPlay size={16} aria-hidden />
                </ActionIcon>
              )}
              <ActionIcon
                variant="subtle"
                aria-label={t('forget', { name: file.name })}
                onClick={() => forgetSending(id)}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </div>
            {state === 'running' && (
              <Progress value={percent} size="xs" aria-label={t('uploading', { name: file.name })} />
            )}
            {problem !== null && <Problems error={problem} />}
          </li>
        ))}
      </ul>
    </Card>
  )
}
