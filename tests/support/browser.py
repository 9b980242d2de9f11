"""A real browser for the pages: the system's Chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
# Chromium would otherwise ask for updates, which a closed network refuses.
_QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
DESKTOP, PHONE = (1280, 800), (360, 740)


@contextmanager
def opened(
    address: str, size: tuple[int, int] = DESKTOP, *, dark: bool = False, allowed: str = "\n"
) -> Iterator[Page]:
    """Open a page; fail at the end if it raised an error or wrote one to the console.

    `allowed`: part of messages that are ignored.
    """
    faults: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(_QUIET))
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            has_touch=size == PHONE,
            accept_downloads=True,
        )
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text))
        page.goto(address)
        page.wait_for_selector("html[data-ready=yes]")
        yield page
        assert page.evaluate("document.documentElement.dataset.fault || null") is None
        unexpected = [fault for fault in faults if allowed not in fault]
        assert unexpected == []
        browser.close()


def violations(page: Page) -> list[str]:
    """Return the rules of axe-core that a page breaks, with the elements."""
    result = Axe().run(page).response["violations"]
    return [f"{rule['id']}: {[node['target'] for node in rule['nodes'][:3]]}" for rule in result]


def is_in_view(page: Page, selector: str) -> bool:
    """Return whether an element is entirely within the window."""
    box = page.locator(selector).bounding_box()
    size = page.viewport_size
    assert box
    assert size
    return (
        box["x"] >= 0
        and box["y"] >= 0
        and box["x"] + box["width"] <= size["width"] + 1
        and box["y"] + box["height"] <= size["height"] + 1
    )
