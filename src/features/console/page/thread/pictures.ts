/** Pictures of the next message: pasted, dropped or chosen. */

import { h, icon, toast } from "../../../../../adapters/page/dom.ts";
import { showPicture } from "../../../../../adapters/page/key.ts";
import { say } from "../../../../../adapters/page/words.ts";

import type { Image } from "../api/requests.ts";
import type { About } from "../../render/api-types.ts";

export interface AttachedPicture extends Image {
  readonly name: string;
  readonly size: number;
  readonly preview: string;
}

export type PictureLimits = Pick<About["limits"], "images" | "imageBytes">;

const TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

export const createPictureViews = (limits: () => PictureLimits) => {
  const tray = h("div.line.wrap.tray", { hidden: true });
  let held: AttachedPicture[] = [];

  const draw = () => {
    tray.hidden = held.length === 0;
    tray.replaceChildren(...held.map(preview));
  };

  const preview = (picture: AttachedPicture) =>
    h(
      "div.held",
      h("img", { src: picture.preview, alt: picture.name }),
      h(
        "button.round",
        {
          "aria-label": say("Remove {name}", { name: picture.name }),
          onclick: () => {
            held = held.filter((other) => other !== picture);
            draw();
          },
        },
        icon("close"),
      ),
    );

  const add = async (files: readonly File[]) => {
    for (const file of files) {
      const problem = unusable(file, held, limits());
      if (problem === null) held.push(await read(file));
      else toast(problem);
    }
    draw();
  };

  return {
    tray,
    add,
    take: () => {
      const taken = held;
      held = [];
      draw();
      return taken;
    },
    put: (pictures: readonly AttachedPicture[]) => {
      held = [...pictures];
      draw();
    },
    empty: () => held.length === 0,
  };
};

/** Pictures among the files of a paste or a drop. */
export const pictureViewsOf = (transfer: DataTransfer | null): readonly File[] =>
  [...(transfer?.files ?? [])].filter(({ type }) => type.startsWith("image/"));

/** `url`: address of the API, or of a picture that is still being sent. */
export const pictureView = (url: string, alt: string) => {
  const image = h("img.picture", { alt });
  if (url.startsWith("/api/")) void showPicture(image, url);
  else image.src = url;
  return image;
};

/** Bytes of all pictures of one message, limited by the size of a request. */
const ALL_BYTES = 22 * 1_048_576;

const unusable = (
  { name, type, size }: File,
  held: readonly AttachedPicture[],
  { images, imageBytes }: PictureLimits,
): string | null => {
  if (!TYPES.includes(type)) return say("{name} is not a PNG, JPEG, GIF or WebP picture.", { name });
  if (size > imageBytes)
    return say("{name} is larger than {most} MB.", { name, most: Math.round(imageBytes / 1_048_576) });
  if (held.reduce((sum, one) => sum + one.size, size) > ALL_BYTES)
    return say(
      "{name} is too large for this message: its pictures can have 22 MB in total. Send it with the next message.",
      { name },
    );
  return held.length >= images ? say("A message takes at most {count} pictures.", { count: images }) : null;
};

const read = async (file: File): Promise<AttachedPicture> => ({
  name: file.name === "" ? say("picture") : file.name,
  mediaType: file.type,
  size: file.size,
  data: new Uint8Array(await file.arrayBuffer()).toBase64(),
  preview: URL.createObjectURL(file),
});
