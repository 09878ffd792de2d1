/** Modules of the quiet zone around a QR code (ISO/IEC 18004 §5.3.8). */
const QUIET_ZONE = 4

/** A QR code as an SVG element: black on white, also on dark pages. */
export async function qrCode (text: string): Promise<string> {
  const { renderSVG } = await import('uqr')
  return renderSVG(text, { border: QUIET_ZONE })
}
