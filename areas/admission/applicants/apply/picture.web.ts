/** Pictures from a phone's camera, made small enough for a bad line before they are sent. */

/** The longer side of a picture that is sent, in pixels: a page is still read at it. */
const LONGEST = 2000
const QUALITY = 0.82

/**
 * A picture as a JPEG of moderate size, upright as the camera held it, turned by quarters to the right. What is no picture, or a
 * small one that needs no turning, stays as it is.
 */
export async function readied(file: File, quarters = 0): Promise<File> {
  if (!/^image\/(?:jpeg|png)$/.test(file.type)) return file
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height))
  if (scale === 1 && quarters % 4 === 0 && file.size < 700_000) return file
  const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)]
  const turned = quarters % 2 !== 0
  const canvas = new OffscreenCanvas(turned ? height : width, turned ? width : height)
  const pen = canvas.getContext('2d')
  if (!pen) return file
  pen.translate(canvas.width / 2, canvas.height / 2)
  pen.rotate((quarters * Math.PI) / 2)
  pen.drawImage(picture, -width / 2, -height / 2, width, height)
  picture.close()
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY })
  return new File([blob], file.name.replace(/\.\w+$/, '') + '.jpg', { type: 'image/jpeg' })
}
