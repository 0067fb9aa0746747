import { useEffect, useEffectEvent, useRef, useState } from 'react'

interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { rawValue: string }[]>
}
type DetectorClass = new (options: { formats: string[] }) => Detector
const detectorClass = (): DetectorClass | undefined =>
  (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector

/** Browsers that read QR codes by themselves; in others the camera of the telephone opens the address that a code is. */
export const readsCodes = (): boolean => detectorClass() !== undefined

/**
 * The camera, until it sees a code that `read` understands. Only where `readsCodes()`.
 *
 * @param read what is meant by the text of a code; null: it is none of ours
 * @param found hears of each that is seen; the same is told again while it is held before the camera
 * @param failed shown where no camera can be used
 */
export function Camera({
  read,
  found,
  label,
  failed,
}: {
  read: (text: string) => string | null
  found: (code: string) => void
  label: string
  failed: string
}) {
  const video = useRef<HTMLVideoElement>(null)
  const [broken, setBroken] = useState(false)
  const tell = useEffectEvent(found)
  const readText = useEffectEvent(read)
  useEffect(() => {
    let stream: MediaStream | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    let over = false
    const detector = new (detectorClass()!)({ formats: ['qr_code'] })
    const look = async () => {
      if (over || !video.current) return
      const seen = await detector.detect(video.current).catch(() => [])
      const code = seen.map((one) => readText(one.rawValue)).find((one) => one !== null)
      if (over) return
      if (code) tell(code)
      timer = setTimeout(() => void look(), 150)
    }
    const start = async () => {
      try {
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
        if (over || !video.current) return stream.getTracks().forEach((track) => track.stop())
        video.current.srcObject = stream
        await video.current.play()
        void look()
      } catch {
        setBroken(true)
      }
    }
    void start()
    return () => {
      over = true
      clearTimeout(timer)
      stream?.getTracks().forEach((track) => track.stop())
    }
  }, [])
  return broken ? <p role="alert">{failed}</p> : <video ref={video} muted playsInline aria-label={label} />
}
